// The state and the result of a promise (H2).

import DynamicPromise
import XCTest

final class StateTests: XCTestCase {
  /// Expects that the properties in `expected` are true, and that the others are false.
  private func check(_ promise: Promise, _ expected: String, _ what: String, line: UInt = #line) {
    let states = [
      ("pending", promise.isPending), ("fulfilled", promise.isFulfilled), ("rejected", promise.isRejected),
      ("cancelled", promise.isCancelled),
    ]
    XCTAssertEqual(states.filter(\.1).map(\.0).joined(separator: ", "), expected, what, line: line)
    XCTAssertEqual(promise.isSettled, expected != "pending", what, line: line)
    XCTAssertEqual(promise.result == nil, expected == "pending", what, line: line)
  }

  // Spec: H2.1, R1.1, R1.2
  func testStatePropertiesOfEachState() {
    let cancelled = "rejected, cancelled"
    let open = Promise()
    check(open, "pending", "new")
    let child = open.then { $0 }
    check(child, "pending", "child of a pending promise")
    check(Promise.resolved(1), "fulfilled", "value")
    check(Promise.resolved(Optional<Int>.none as Any), "fulfilled", "nil")
    check(Promise.rejected("no"), "rejected", "reason")
    check(Promise.resolved(Failure()), "rejected", "Error")
    check(Promise.rejected(CancellationError()), cancelled, "an Error that counts as a cancellation")
    open.cancel()
    check(open, cancelled, "cancelled by request")
    check(child, cancelled, "cancelled from above")
    check(Promise().cancelled(), cancelled, "cancelled with another Error")
    check(Promise().fulfilled(with: CancellationError()), "fulfilled", "a cancellation as a value")
  }

  // Spec: H2.2
  func testResultOfEachState() throws {
    let promise = Promise()
    XCTAssertNil(promise.result)
    let value = Canary()
    promise.fulfill(value)
    for _ in 0..<3 { XCTAssertTrue(try promise.result?.get() as? Canary === value) }
    let failure = Failure()
    for promise in [Promise.rejected(failure), Promise().cancelled(with: failure)] {
      for _ in 0..<3 {
        guard case .failure(let reason)? = promise.result else { return XCTFail("\(promise)") }
        XCTAssertTrue(reason as? Failure === failure)
      }
    }
    // A promise that is fulfilled with nil has a result.
    let empty = Promise.resolved(Optional<Int>.none as Any)
    guard case .success(let nothing)? = empty.result else { return XCTFail("\(empty)") }
    XCTAssertTrue(isNil(nothing))
  }

  // Spec: H2.3
  func testLockedInPromiseIsPending() {
    let target = Promise()
    let adopter = Promise()
    adopter.resolve(target)
    let outer = Promise()
    outer.bind(adopter)
    let waiting = Promise()
    waiting.resolve(StructThenable { _, _ in })
    // `waiting` is rejected, because the thenable has released its functions. While a function is retained,
    // its promise stays pending.
    XCTAssertTrue(waiting.isRejected)
    let functions = Log<@Sendable (Any) -> Void>()
    let kept = Promise()
    kept.resolve(StructThenable { resolve, _ in functions.append(resolve) })
    let (parent, child) = { (parent: Promise) in (parent, parent.then { _ in target }) }(
      Promise(on: .immediate))
    parent.fulfill(0)
    for promise in [adopter, outer, kept, child] { check(promise, "pending", "locked in") }
    target.fulfill("end")
    functions.all[0]("end")
    for promise in [adopter, outer, kept, child] { check(promise, "fulfilled", "followed") }
  }
}
