// `all`, and what all combinators have in common (K1 to K4).

import DynamicPromise
import XCTest

final class AllTests: XCTestCase {
  // Spec: K2.2, K2.3, K3.3
  func testACancelledInputCountsAsAnOrdinaryRejection() throws {
    let (input, other) = (Promise(), Promise())
    let all = Promise.all([other, input])
    let recovered = all.catch { _ in "recovered" }
    let failure = Failure()
    input.cancel(failure)
    XCTAssertTrue(try all.reason() as? Failure === failure)
    XCTAssertTrue(!all.isCancelled && other.isPending)
    XCTAssertEqual(try recovered.value(), "recovered", "the result was not cancelled by request")
  }

  // Spec: K1.1, K1.2
  func testInputsMayBePromisesThenablesAndPlainValues() throws {
    let (pending, resolver) = Promise.pending()
    let missing = Promise.resolved(Int?.none as Any)
    let mixed = Promise.all([pending, 5, "x", Countdown(3), nil, Promise.resolved("y"), missing])
    resolver.fulfill(true)
    let values = try mixed.value(as: [Any].self)
    XCTAssertEqual(values.map { "\($0)" }, ["true", "5", "x", "done", "nil", "y", "nil"])
    XCTAssertEqual(values[1] as? Int, 5)

    let optional: Promise? = Promise.resolved(1)
    XCTAssertEqual(try Promise.all([optional, nil]).value(as: [Any].self)[0] as? Int, 1)
  }

  // Spec: K1.3, K1.7, K2.1
  func testTheInputsMayBeAnySequence() throws {
    XCTAssertEqual(try Promise.all(1...3).value(), [1, 2, 3])
    let (one, failed, pending) = (Promise.resolved(1), Promise.rejected("no"), Promise())
    XCTAssertEqual(try Promise.all(one, 2, one).value(), [1, 2, 1])
    XCTAssertEqual(try Promise.allSettled(one, failed, 3).value(as: [Any].self).count, 3)
    XCTAssertEqual(try Promise.any(failed, one, pending).value(), 1)
    XCTAssertEqual(try Promise.race(pending, one, cancellingRest: true).value(), 1)
    XCTAssertTrue(pending.isCancelled)
    var left = 3
    let once = AnyIterator { () -> Int? in
      left -= 1
      return left >= 0 ? left : nil
    }
    XCTAssertEqual(try Promise.all(once).value(), [2, 1, 0])
  }

  // Spec: K1.4
  func testAnErrorAmongTheInputsCountsAsARejection() throws {
    let failure = Failure()
    XCTAssertTrue(try Promise.all([1, failure]).reason() as? Failure === failure)
    // `fulfill` accepts an error as a value, and such a value does not become a rejection.
    let verbatim = Promise()
    verbatim.fulfill(failure)
    XCTAssertTrue(try Promise.all([verbatim]).value(as: [Any].self)[0] as? Failure === failure)
  }

  // Spec: K1.6
  func testTheResultIsSettledAtOnceIfNoPendingInputMatters() {
    XCTAssertTrue(Promise.all([1, Promise.resolved(2)]).isFulfilled)
    XCTAssertTrue(Promise.all([1, Promise.rejected("no"), Promise()]).isRejected)
    XCTAssertTrue(Promise.allSettled([Promise.rejected("no")]).isFulfilled)
    XCTAssertTrue(Promise.any([Promise(), 1]).isFulfilled)
    XCTAssertTrue(Promise.race([Promise(), Promise.rejected("no")]).isRejected)
  }

  // Spec: X1.6, K1.8
  func testTheResultInheritsTheContextOfTheFirstPromise() {
    let (context, other) = (SteppedContext(), SteppedContext())
    for combine in combinators {
      let first = Promise(on: context)
      combine([1, first, Promise.resolved(3, on: other)], false).then { _ in 0 }
      first.fulfill(2)
      XCTAssertEqual([context.pendingJobs, other.pendingJobs], [1, 0])
      context.drain()
    }
    Promise.race([Promise.resolved(1, on: context)], on: other).then { _ in 0 }
    XCTAssertEqual([context.pendingJobs, other.pendingJobs], [0, 1])
    let inPlace = Counter()
    Promise.all([1], on: .immediate).then { _ in inPlace.increment() }
    XCTAssertEqual(inPlace.value, 1)
  }

  // Spec: C5.2, K3.1, K3.2
  func testACancelledResultWithdrawsFromTheInputsByDefault() {
    let byDefault: [@Sendable ([Any], Bool) -> Promise] = [
      { inputs, _ in Promise.all(inputs) }, { inputs, _ in Promise.allSettled(inputs) },
      { inputs, _ in Promise.any(inputs) }, { inputs, _ in Promise.race(inputs) },
      { inputs, _ in Promise.all(["a": inputs[0], "b": inputs[1]]) },
    ]
    for (index, combine) in (byDefault + combinators).enumerated() {
      for cancels in index < byDefault.count ? [true] : [false, true] {
        let (inputs, failure) = ([Promise(), Promise()], Failure())
        let result = combine(inputs, cancels)
        XCTAssertNil(result.parent)
        result.cancel(failure)
        XCTAssertTrue(result.isCancelled)
        for input in inputs {
          XCTAssertEqual(input.isPending, !cancels)
          XCTAssertEqual(input.isCancelled, cancels)
          XCTAssertTrue(input.reasonNow === (cancels ? failure : nil))
        }
      }
    }
  }

  // Spec: K3.3
  func testADecidedResultWithdrawsFromTheInputsOnRequest() throws {
    let failing = [Promise(), Promise(), Promise()]
    let all = Promise.all(failing, cancellingRest: true)
    failing[1].reject(Failure())
    XCTAssertFalse(all.isCancelled)
    XCTAssertTrue(try failing[0].reason() is CancellationError)
    XCTAssertTrue(try failing[2].reason() is CancellationError)
    XCTAssertTrue(failing[0].isCancelled)
    XCTAssertFalse(failing[1].isCancelled)

    let racing = [Promise(), Promise()]
    let race = Promise.race(racing + [Promise.resolved("won")], cancellingRest: true)
    XCTAssertEqual(try race.value(), "won")
    XCTAssertTrue(racing.allSatisfy { $0.isCancelled }, "a race that is decided at once cancels its inputs")
  }

  // Spec: K3.4
  func testSettledInputsAreNotCancelled() {
    let (inner, resolver) = Promise.pending()
    let settled = Promise.resolved(1)
    let below = settled.thenOn(.immediate) { _ in inner }
    Promise.all([settled, Promise()]).cancel()
    XCTAssertTrue(below.isPending, "a cancel does not pass through a settled input")
    XCTAssertFalse(resolver.isCancelled)
  }

  // Spec: K4.1, K4.2, L1.7
  func testADecidedOrFreedResultReleasesItsInputs() {
    typealias End = (_ other: Promise, _ result: inout Promise?) -> Void
    let cases: [(name: String, combine: ([Promise]) -> Promise, end: End)] = [
      ("a rejection", { Promise.all($0) }, { other, _ in other.reject(Failure()) }),
      ("a value", { Promise.race($0) }, { other, _ in other.fulfill(1) }),
      ("freed", { Promise.all($0) }, { _, result in result = nil }),
    ]
    for (name, combine, end) in cases {
      let other = Promise()
      var result: Promise?
      let input = Unretained { result = combine([$0, other]) }
      XCTAssertEqual(input.abandonments, 0, "\(name): the result retains its inputs")
      end(other, &result)
      XCTAssertEqual(input.abandonments, 1, name)
      withExtendedLifetime(result) {}
    }
  }

  // Spec: K4.3
  func testAResultWithHandlersExistsUntilItSettles() {
    let values = Log<Int>()
    let input = Unretained { promise in
      Promise.all([promise]).thenOn(.immediate) { values.append(($0 as! [Any])[0] as! Int) }
    }
    input.resolver.fulfill(7)
    XCTAssertEqual(values.all, [7])
    XCTAssertEqual(input.abandonments, 0)
  }

  // Spec: K4.4
  func testTheInputsRetainNothingAfterTheOutcome() {
    let alive = LiveCount()
    let pending = combinators.map { _ in Promise() }
    for (combine, long) in zip(combinators, pending) {
      let short = Promise()
      combine([long, short], false).then { [canary = alive.make()] _ in use(canary) }.cancel()
      let result = combine([long, short], false)
      let again = alive.make()
      result.thenOn(.immediate, { _ in use(again) }, { _ in use(again) })
      result.cancel()
      short.fulfill(alive.make())
    }
    alive.waitUntilEmpty()
    XCTAssertTrue(pending.allSatisfy(\.isPending))
  }

  // Spec: K1.2, K1.4, K2.4
  func testAllSettledGivesTheOutcomesInTheOrderOfTheInputs() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let (failure, reason) = (Failure(), Failure("stop"))
    let all = Promise.allSettled([inputs[0], inputs[1], inputs[2], failure, nil, 5])
    inputs[2].cancel(reason)
    inputs[1].reject(failure)
    XCTAssertTrue(all.isPending)
    inputs[0].fulfill(1)
    let outcomes = try all.value(as: [Result<Any, any Error>].self)
    XCTAssertEqual(outcomes.count, 6)
    for (index, value) in [(0, "1"), (4, "nil"), (5, "5")] {
      XCTAssertEqual("\(try outcomes[index].get())", value)
    }
    for (index, expected) in [(1, failure), (2, reason), (3, failure)] {
      XCTAssertThrowsError(try outcomes[index].get()) { XCTAssertTrue($0 as? Failure === expected) }
    }
  }
}
