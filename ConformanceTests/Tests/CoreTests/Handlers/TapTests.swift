// `tap` and `tapResult` (H6.8 to H6.11).

import DynamicPromise
import XCTest

final class TapTests: XCTestCase {
  private let context = SteppedContext()

  private func fulfilled(_ value: Any) -> Promise { Promise.resolved(value, on: context) }

  private func rejected(_ reason: Any) -> Promise { Promise.rejected(reason, on: context) }

  // Spec: H6.8
  func testTapPassesTheValueOn() throws {
    let value = Canary()
    let seen = Log<Any>()
    let tapped = fulfilled(value).tap { value in seen.append(value) }
    XCTAssertTrue(tapped.isPending, "the closure never runs on this stack")
    context.drain()
    XCTAssertTrue(try tapped.value(as: Canary.self) === value)
    XCTAssertTrue(seen.all.first as? Canary === value)

    // The result of the closure does not replace the value.
    let returning: [Promise] = [
      fulfilled(1).tap { _ in "something else" }, fulfilled(1).tap { _ in Int?.none as Any },
      fulfilled(1).tap { "no value is looked at" }, fulfilled(1).tap { (number: Int) in number + 1 },
      fulfilled(1).tap { _ in Promise.resolved(2) },
      fulfilled(1).tap { _ in StructThenable { resolve, _ in resolve(3) } },
    ]
    context.drain()
    for tapped in returning { XCTAssertEqual(try tapped.value(), 1) }
  }

  // Spec: H6.9
  func testAFailureOfTheClosureReplacesTheOutcome() throws {
    let failure = Failure()
    let tapped: [(String, Promise)] = [
      ("a throw", fulfilled(1).tap { _ in throw failure }),
      ("an error", fulfilled(1).tap { _ in failure }),
      ("a promise", fulfilled(1).tap { _ in Promise.rejected(failure) }),
      ("a throw from tapResult", rejected(Failure()).tapResult { _ in throw failure }),
      ("a task", fulfilled(1).tap { (_: Int) async throws in throw failure }),
    ]
    context.drain()
    for (name, tapped) in tapped { XCTAssertTrue(try tapped.reason() as? Failure === failure, name) }

    let wrong = fulfilled("text").tap { (number: Int) in number }
    context.drain()
    guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
  }

  // Spec: H6.8
  func testOtherOutcomesArePassedOn() throws {
    let failure = Failure()
    let seen = Counter()
    let passedBy = rejected(failure).tap { _ in seen.increment() }
    context.drain()
    XCTAssertTrue(try passedBy.reason() as? Failure === failure)
    XCTAssertEqual(seen.value, 0)
  }

  // Spec: H6.10
  func testTapResultObservesEitherOutcome() throws {
    let seen = Log<Int?>()
    let tapped = fulfilled(7).tapResult { seen.append(try? $0.get() as? Int) }
    let (failure, gate) = (Failure(), Promise())
    let other = rejected(failure).tapResult { result in
      seen.append(try? result.get() as? Int)
      return gate
    }
    context.drain()
    XCTAssertEqual(seen.all, [7, nil])
    XCTAssertEqual(try tapped.value(), 7)
    XCTAssertTrue(other.isPending)
    gate.fulfill(1)
    XCTAssertTrue(try other.reason() as? Failure === failure)
  }

  // Spec: H6.8
  func testTapRunsOnTheContextThatTheCallNames() throws {
    let other = SteppedContext()
    let taps = [
      fulfilled(1).tap(on: other) { _ in 0 }, rejected(Failure()).tapResult(on: other) { _ in 0 },
      fulfilled(1).tapResult(on: other) { _ in 0 },
    ]
    context.drain()
    XCTAssertTrue(taps.allSatisfy(\.isPending))
    XCTAssertEqual(other.pendingJobs, 3)
    other.drain()
    XCTAssertTrue(taps.allSatisfy(\.isSettled))
  }

  // Spec: H6.11
  func testACancelledTapWithdrawsFromThePromiseOfItsClosure() {
    let reached = Promise()
    let seen = Counter()
    let tapped = fulfilled(1).tap { _ in reached }
    let early = fulfilled(1).tap { _ in seen.increment() }
    early.cancel()
    context.drain()
    tapped.cancel("closed")
    XCTAssertTrue(reached.isCancelled, "the promise that the closure returned has no other consumer")
    XCTAssertTrue(early.isCancelled)
    XCTAssertEqual(seen.value, 0, "the closure does not run after the cancel")
  }

  // Spec: H6.11
  func testACancelAboveATapIsSeenByTapResultOnly() {
    let root = Promise(on: context)
    let gate = Promise()
    let seen = Counter()
    let values = root.tap { _ in seen.increment() }
    let reasons = root.tapResult { _ in
      seen.increment()
      return gate
    }
    root.cancel()
    XCTAssertTrue(values.isCancelled)
    XCTAssertTrue(reasons.isPending, "its closure has not run yet")
    context.drain()
    XCTAssertTrue(reasons.isCancelled, "the promise that the closure returned is not waited for")
    XCTAssertTrue(gate.isPending)
    XCTAssertEqual(seen.value, 1)
  }

  // Spec: H6.11
  func testTapAndTapResultAreConsumers() {
    for (name, look) in [
      ("tap", { (promise: Promise) -> Promise in promise.tap { _ in 0 } }),
      ("tapResult", { $0.tapResult { _ in 0 } }),
    ] {
      let target = Promise(on: context)
      let tapped = look(target)
      Promise.resolved(target).cancel()
      context.drain()
      XCTAssertTrue(target.isPending, name)
      tapped.cancel()
      XCTAssertTrue(target.isCancelled, name)
    }
  }
}
