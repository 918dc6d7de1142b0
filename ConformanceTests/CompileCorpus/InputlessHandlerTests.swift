import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Closures without a parameter that return two types, a bare `nil`, or suspend.
final class InputlessHandlerTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "inputless")
  private let place = Place()

  // Spec: H3.6, H4.1
  func testBareNil() throws {
    let children = [
      failed.catch { nil }, failed.catchOn(queue) { nil }, failed.catchOnMain { nil },
      failed.catchOn(.actor(place)) { nil }, one.thenOn(.actor(place)) { nil }, failed.catchOn(.main) { nil },
    ]
    for child in children { XCTAssertNil(try value(of: child, as: Any?.self)) }
  }

  // Spec: H3.7, H4.1
  func testTwoTypes() throws {
    let yes = try value(of: one, as: Int.self) == 1
    let children: [Promise] = [
      failed.catch {
        if yes { return "x" }
        return 1
      },
      failed.catchOn(queue) {
        if yes { return "x" }
        return nil
      },
      failed.catchOnMain {
        if yes { return "x" }
        return 1
      },
      failed.catchOn(.actor(place)) {
        if yes { return "x" }
        return 1
      },
      one.thenOn(.actor(place)) {
        if yes { return "x" }
        return 1
      },
    ]
    for child in children { XCTAssertEqual(try value(of: child), "x") }
  }

  // Spec: H4.1, H6.5
  func testSuspending() throws {
    let children = [
      failed.catch { try await load() }, failed.catchOn(queue) { try await load() },
      failed.catchOnMain { try await load() }, failed.catchOn(.actor(place)) { try await load() },
    ]
    for child in children {
      XCTAssertEqual(try value(of: child), 5)
      XCTAssertEqual("\(try value(of: child, as: Any.self))", "5", "as it is, not in an Optional")
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
      if try await load() == 5 { return "x" }
      return nil
    }
    XCTAssertEqual(try value(of: twoTypes), "x")
  }

  /// A closure that does not suspend does not run in a task, and one that returns a type keeps it.
  // Spec: H4.1
  func testOrdinaryClosuresStayAsTheyWere() throws {
    XCTAssertTrue(failed.catchOn(.immediate) {}.isSettled)
    XCTAssertTrue(failed.catchOn(.immediate) { nil }.isSettled)
    XCTAssertEqual(try value(of: failed.catch { 1 }), 1)
    XCTAssertEqual(try reason(of: failed.catch { throw NumberedError(3) }), NumberedError(3))
    XCTAssertEqual(try reason(of: failed.catch { throw $0 }), NumberedError(1))
  }

  // Spec: H1.6, H3.6, H3.7
  func testTasks() throws {
    let yes = try value(of: one, as: Int.self) == 1
    XCTAssertNil(try value(of: Promise.task { nil }, as: Any?.self))
    XCTAssertNil(try value(of: Promise.task(on: queue) { nil }, as: Any?.self))
    let twoTypes = Promise.task {
      if yes { return "x" }
      return 1
    }
    XCTAssertEqual(try value(of: twoTypes), "x")
    let onQueue = Promise.task(on: queue) {
      if yes { return "x" }
      return nil
    }
    XCTAssertEqual(try value(of: onQueue), "x")
  }

  // Spec: H1.7, H3.7
  func testAsyncBodies() throws {
    let orNil = Promise {
      let number = try await load()
      if number == 5 { return nil }
      return number
    }
    XCTAssertNil(try value(of: orNil, as: Any?.self))
    let twoTypes = Promise {
      if try await load() == 5 { return "x" }
      return 1
    }
    XCTAssertEqual(try value(of: twoTypes), "x")
  }
}

private actor Place {}

private func load() async throws -> Int {
  await Task.yield()
  return 5
}
