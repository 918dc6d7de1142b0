import DynamicPromise
import TestSupport
import XCTest

/// Closures that make a promise or handle an outcome, and suspend.
final class AsyncHandlerTests: XCTestCase {
  // Spec: H1.7
  func testAsyncInitSettles() throws {
    let fulfilled = Promise {
      await Task.yield()
      return 1
    }
    XCTAssertEqual(try value(of: fulfilled), 1)
    XCTAssertEqual(try value(of: Promise { try await later(2) }), 2)
    let rejected = Promise {
      await Task.yield()
      throw NumberedError(1)
    }
    XCTAssertEqual(try reason(of: rejected), NumberedError(1))
  }

  // Spec: H6.5
  func testAsyncHandlerSettlesItsChild() throws {
    let one = Promise.resolved(1)
    XCTAssertEqual(try value(of: one.then { try await later($0 as! Int + 2) }), 3)
    let failing = one.then { _ in
      await Task.yield()
      throw NumberedError(1)
    }
    XCTAssertEqual(try reason(of: failing), NumberedError(1))
    let adopting = one.then { _ in
      await Task.yield()
      return Promise.resolved(4)
    }
    XCTAssertEqual(try value(of: adopting), 4)
  }

  // Spec: H6.6
  func testCancelReachesTheTaskOfAHandler() throws {
    let cancelled = expectation(description: "task cancelled")
    let started = expectation(description: "task started")
    let child = Promise.resolved(1).then { _ in
      started.fulfill()
      _ = try? await Promise().cancellingValue
      if Task.isCancelled { cancelled.fulfill() }
    }
    wait(for: [started], timeout: 20)
    child.cancel()
    wait(for: [cancelled], timeout: 20)
    XCTAssertTrue(child.isCancelled)
  }
}
