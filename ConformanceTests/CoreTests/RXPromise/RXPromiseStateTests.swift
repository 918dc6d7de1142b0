// What RXPromise's documents promise, tried anew: states, following, chains.

import Dispatch
import DynamicPromise
import XCTest

final class RXPromiseStateTests: XCTestCase {
  // Spec: H2.1, C1.1, R1.1
  func testOnceSettledAStateIsForGood() throws {
    let attempts: [@Sendable (Promise) -> Void] = [
      { $0.fulfill("late") }, { $0.reject("late") }, { $0.resolve("late") }, { $0.cancel("late") },
      { $0.bind(.resolved("late")) },
    ]
    let settlings: [@Sendable (Promise) -> Void] = [
      { $0.fulfill("first") }, { $0.reject(Failure("first")) }, { $0.cancel(Failure("first")) },
    ]
    for settle in settlings {
      let promise = Promise()
      XCTAssertTrue(promise.isPending)
      settle(promise)
      let state = [promise.isFulfilled, promise.isRejected, promise.isCancelled]
      let text = promise.description
      for attempt in attempts { attempt(promise) }
      XCTAssertEqual([promise.isFulfilled, promise.isRejected, promise.isCancelled], state)
      XCTAssertEqual(promise.description, text)
      XCTAssertTrue(text.contains("first") || text.contains("Failure"), text)
    }
  }

  // Spec: C1.1, C1.4, R1.2
  func testACancelledPromiseIsRejectedAsWell() throws {
    let promise = Promise()
    promise.cancel("enough")
    XCTAssertTrue(promise.isCancelled && promise.isRejected)
    XCTAssertFalse(promise.isFulfilled || promise.isPending)
    guard case PromiseError.cancelled(let reason as String) = try promise.reason() else {
      return XCTFail("\(promise)")
    }
    XCTAssertEqual(reason, "enough")
  }

  // Spec: H1.8, C4.1, C4.4, R1.5
  func testBoundPromisesShareStatesBothWaysRound() throws {
    for late in [false, true] {
      for outcome in 0..<3 {
        let (promise, other) = (Promise(), Promise())
        if !late { promise.bind(other) }
        switch outcome {
        case 0: other.fulfill(1)
        case 1: other.reject(Failure("no"))
        default: other.cancel()
        }
        if late { promise.bind(other) }
        XCTAssertEqual(promise.isFulfilled, outcome == 0)
        XCTAssertEqual(promise.isRejected, outcome != 0)
        XCTAssertEqual(promise.isCancelled, outcome == 2)
      }
    }
    let (promise, other) = (Promise(), Promise())
    promise.bind(other)
    promise.cancel("enough")
    XCTAssertTrue(other.isCancelled)
  }

  // Spec: 2.2.7, H3.3, R3.2
  func testAnErrorPassesCompletionHandlersByUntilOneTakesIt() throws {
    let log = Log<String>()
    let root = Promise()
    let end = root.then { value in log.append("a \(value)") }
      .then { _ -> Failure in Failure("b") }
      .then { _ in log.append("c") }
      .then({ _ in log.append("d") }, nil)
      .then(
        nil,
        { reason -> String in
          log.append((reason as? Failure)?.name ?? "another")
          return "taken"
        }
      )
      .then { value in log.append("e \(value)") }
    root.fulfill(1)
    _ = try end.outcome().get()
    XCTAssertEqual(log.all, ["a 1", "b", "e taken"])
  }

  // Spec: 2.2.6.1, R2.2
  func testSeveralHandlersOfOnePromiseAllRunWithItsValue() throws {
    let root = Promise()
    let children = (0..<20).map { index in root.then { value in (value as? Int ?? 0) + index } }
    for child in children { XCTAssertTrue(child.parent === root && child.root === root) }
    root.fulfill(100)
    for (index, child) in children.enumerated() { XCTAssertEqual(try child.value(), 100 + index) }
  }
}
