import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Closures without a parameter that return two types or a bare `nil`, or that suspend. In the first two
/// cases, closures of `catch` declare their result type.
final class InputlessHandlerTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "inputless")
  private let place = Place()

  // Spec: H3.6, H4.1
  func testBareNil() throws {
    let children = [
      failed.catch { () -> Any? in nil }, failed.catchOn(queue) { _ in nil }, failed.catchOnMain { _ in nil },
      one.then { nil }, one.thenOn(.actor(place)) { nil }, one.thenOnMain { nil }, one.thenOn(.main) { nil },
    ]
    for child in children { XCTAssertNil(try value(of: child, as: Any?.self)) }
  }

  // Spec: H4.1, H6.5
  func testSuspending() throws {
    let children = [
      failed.catch { try await later(5) }, failed.catchOn(queue) { try await later(5) },
      failed.catchOnMain { try await later(5) }, failed.catchOn(.actor(place)) { try await later(5) },
    ]
    for child in children {
      XCTAssertEqual("\(try value(of: child, as: Any.self))", "5", "unchanged, not wrapped in an Optional")
    }
    let nothing = failed.catch {
      await Task.yield()
      await Task.yield()
    }
    _ = try value(of: nothing, as: Void.self)
    let failing = failed.catch {
      await Task.yield()
      throw NumberedError(2)
    }
    XCTAssertEqual(try reason(of: failing), NumberedError(2))
    let twoTypes = failed.catch { () -> Any? in
      if try await later(5) == 5 { return "x" }
      return nil
    }
    XCTAssertEqual(try value(of: twoTypes), "x")
  }

  // Spec: H1.6, H3.6, H3.7
  func testTasks() throws {
    let yes = try value(of: one, as: Int.self) == 1
    XCTAssertNil(try value(of: Promise.task { Int?.none }, as: Any?.self))
    XCTAssertNil(try value(of: Promise.task(on: queue) { () -> Any? in nil }, as: Any?.self))
    let twoTypes = Promise.task { () -> Any in
      if yes { return "x" }
      return 1
    }
    expect([twoTypes, .task(on: queue) { () -> Any? in yes ? "x" : nil }], toGive: "x")
  }
}

private actor Place {}
