// `all`, and what the four collecting combinators have in common: kinds of inputs, default context, lifetime.

import Dispatch
import DynamicPromise
import XCTest

final class AllTests: XCTestCase {
  // Spec: K2.1
  func testValuesComeInTheOrderOfTheInputs() throws {
    let inputs = (0..<3).map { _ in Promise() }
    let all = Promise.all(inputs)
    inputs[2].fulfill("c")
    inputs[0].fulfill("a")
    XCTAssertTrue(all.isPending)
    inputs[1].fulfill("b")
    XCTAssertEqual(try all.value(as: [Any].self) as? [String], ["a", "b", "c"])
  }

  // Spec: K2.2
  func testFirstRejectionRejects() throws {
    let inputs = (0..<3).map { _ in Promise() }
    let all = Promise.all(inputs)
    let failure = Failure()
    inputs[1].reject(failure)
    XCTAssertTrue(try all.reason() as? Failure === failure)
    inputs[0].reject(Failure("later"))
    XCTAssertTrue(try all.reason() as? Failure === failure)
    XCTAssertTrue(inputs[2].isPending)
  }

  // Spec: K2.3
  func testCancelledInputIsAnOrdinaryRejection() throws {
    let input = Promise()
    let all = Promise.all([input])
    let recovered = all.catch { _ in "recovered" }
    let failure = Failure()
    input.cancel(failure)
    XCTAssertTrue(try all.reason() as? Failure === failure)
    XCTAssertFalse(all.isCancelled)
    XCTAssertEqual(try recovered.value(), "recovered", "the result was not cancelled by request")
  }

  // Spec: K1.1
  func testInputsOfEveryKind() throws {
    let (pending, resolver) = Promise.pending()
    let mixed = Promise.all([pending, 5, "x", Countdown(3), nil, Promise.resolved("y")])
    resolver.fulfill(true)
    let values = try mixed.value(as: [Any].self)
    XCTAssertEqual(values[0] as? Bool, true)
    XCTAssertEqual(values[1] as? Int, 5)
    XCTAssertEqual(values[2] as? String, "x")
    XCTAssertEqual(values[3] as? String, "done")
    XCTAssertNil(values[4] as? String)
    XCTAssertEqual(values[5] as? String, "y")
    XCTAssertEqual(values.count, 6)

    let optional: Promise? = Promise.resolved(1)
    XCTAssertEqual(try Promise.all([optional, nil]).value(as: [Any].self)[0] as? Int, 1)
  }

  // Spec: K1.2
  func testNilStaysNil() throws {
    let values = try Promise.all([nil, 1, Promise.resolved(Int?.none as Any)]).value(as: [Any].self)
    XCTAssertEqual(values.count, 3)
    XCTAssertEqual(values[1] as? Int, 1)
    for index in [0, 2] { XCTAssertEqual("\(values[index])", "nil") }
  }

  // Spec: K1.3
  func testAnySequence() throws {
    XCTAssertEqual(try Promise.all(1...3).value(as: [Any].self) as? [Int], [1, 2, 3])
    XCTAssertEqual(try Promise.all(Set(["x"])).value(as: [Any].self) as? [String], ["x"])
    let anys: [Any] = [1, Promise.resolved("two")]
    XCTAssertEqual(try Promise.all(anys).value(as: [Any].self)[1] as? String, "two")
    let optionals: [Any?] = [nil, Promise.resolved(2)]
    XCTAssertEqual(try Promise.all(optionals).value(as: [Any].self)[1] as? Int, 2)
    let lazily = (1...3).lazy.map { Promise.resolved($0 * 10) }
    XCTAssertEqual(try Promise.all(lazily).value(as: [Any].self) as? [Int], [10, 20, 30])
    // A sequence that can be read only once is read once.
    var left = 3
    let once = AnyIterator { () -> Int? in
      left -= 1
      return left >= 0 ? left : nil
    }
    XCTAssertEqual(try Promise.all(once).value(as: [Any].self) as? [Int], [2, 1, 0])
  }

  // Spec: K1.4
  func testErrorAmongTheInputsIsARejection() throws {
    let failure = Failure()
    XCTAssertTrue(try Promise.all([1, failure]).reason() as? Failure === failure)
    // An error that is a promise's value, because `fulfill` takes it verbatim, stays a value.
    let verbatim = Promise()
    verbatim.fulfill(failure)
    XCTAssertTrue(try Promise.all([verbatim]).value(as: [Any].self)[0] as? Failure === failure)
  }

  // Spec: K1.5
  func testNoInputs() throws {
    XCTAssertEqual(try Promise.all([]).value(as: [Any].self).count, 0)
    XCTAssertEqual(try Promise.all([Promise]()).value(as: [Any].self).count, 0)
  }

  // Spec: K1.6
  func testSettlesAtOnceIfNothingHasToBeWaitedFor() {
    XCTAssertTrue(Promise.all([1, Promise.resolved(2)]).isFulfilled)
    XCTAssertTrue(Promise.all([1, Promise.rejected("no"), Promise()]).isRejected)
    XCTAssertTrue(Promise.allSettled([Promise.rejected("no")]).isFulfilled)
    XCTAssertTrue(Promise.any([Promise(), 1]).isFulfilled)
    XCTAssertTrue(Promise.race([Promise(), Promise.rejected("no")]).isRejected)
  }

  // Spec: K1.7
  func testOneInputTwice() throws {
    let input = Promise()
    let all = Promise.all([input, 1, input])
    input.fulfill(2)
    XCTAssertEqual(try all.value(as: [Any].self) as? [Int], [2, 1, 2])
  }

  // Spec: X1.6, K1.8
  func testDefaultContextIsThatOfTheFirstPromise() {
    let context = SteppedContext()
    let other = SteppedContext()
    for combine: ([Any]) -> Promise in [
      { Promise.all($0) }, { Promise.allSettled($0) }, { Promise.any($0) }, { Promise.race($0) },
    ] {
      let first = Promise(on: context)
      let ran = Counter()
      combine([1, Countdown(1), first, Promise(on: other)]).then({ _ in ran.increment() }, nil)
      first.fulfill(2)
      context.drain()
      // `all` and `allSettled` wait for the last one, too.
      XCTAssertEqual(other.pendingJobs, 0)
    }
    let input = Promise(on: context)
    Promise.all([1, input, Promise.resolved(2)]).then { _ in 0 }
    input.fulfill(0)
    XCTAssertEqual(context.pendingJobs, 1)
    Promise.race([input], on: other).then { _ in 0 }
    XCTAssertEqual(other.pendingJobs, 1)
    XCTAssertEqual(context.pendingJobs, 1)
    let named = Promise.all([1], on: .immediate)
    let inPlace = Counter()
    named.then { _ in inPlace.increment() }
    XCTAssertEqual(inPlace.value, 1)
  }

  // Spec: C5.2, K3.1
  func testInputsAreLeftAlone() {
    for combine: ([Any]) -> Promise in [
      { Promise.all($0) }, { Promise.allSettled($0) }, { Promise.any($0) }, { Promise.race($0) },
    ] {
      let inputs = [Promise(), Promise()]
      let result = combine(inputs)
      XCTAssertNil(result.parent)
      result.cancel()
      XCTAssertTrue(result.isCancelled)
      XCTAssertTrue(inputs.allSatisfy { $0.isPending })
    }
  }

  // Spec: K3.2
  func testCancellingTheResultCancelsTheInputsIfAskedTo() throws {
    for combine: ([Any]) -> Promise in [
      { Promise.all($0, cancellingInputs: true) }, { Promise.allSettled($0, cancellingInputs: true) },
      { Promise.any($0, cancellingInputs: true) }, { Promise.race($0, cancellingInputs: true) },
    ] {
      let inputs = [Promise(), Promise()]
      let result = combine(inputs)
      let failure = Failure()
      result.cancel(failure)
      for input in inputs {
        XCTAssertTrue(input.isCancelled)
        XCTAssertTrue(try input.reason() as? Failure === failure)
      }
    }
  }

  // Spec: K3.3
  func testDecidingCancelsTheRestIfAskedTo() throws {
    let failing = [Promise(), Promise(), Promise()]
    let all = Promise.all(failing, cancellingInputs: true)
    failing[1].reject(Failure())
    XCTAssertFalse(all.isCancelled)
    XCTAssertTrue(try failing[0].reason() is CancellationError)
    XCTAssertTrue(try failing[2].reason() is CancellationError)
    XCTAssertTrue(failing[0].isCancelled)
    XCTAssertFalse(failing[1].isCancelled)

    let racing = [Promise(), Promise()]
    let race = Promise.race(racing + [Promise.resolved("won")], cancellingInputs: true)
    XCTAssertEqual(try race.value(), "won")
    XCTAssertTrue(racing.allSatisfy { $0.isCancelled }, "also if it was decided while they were registered")
  }

  // Spec: K3.4
  func testSettledInputsHearNothing() {
    let (inner, resolver) = Promise.pending()
    let settled = Promise.resolved(1)
    let below = settled.thenOn(.immediate) { _ in inner }
    let all = Promise.all([settled, Promise()], cancellingInputs: true)
    all.cancel()
    XCTAssertTrue(below.isPending, "a cancel of the settled input would have reached it")
    XCTAssertFalse(resolver.isCancelled)
  }

  // Spec: K3.5
  func testResultSettledByHandReleasesItsInputs() {
    let released = Counter()
    let (input, resolver) = makeAbandonable(released)
    let all = Promise.all([input.drop(), Promise()])
    XCTAssertEqual(released.value, 0)
    all.fulfill("by hand")
    XCTAssertEqual(released.value, 1)
    withExtendedLifetime(resolver) {}
  }

  // Spec: L1.7, K4.1
  func testDecidedRegistrationNoLongerCounts() {
    let abandoned = Counter()
    let (input, resolver) = makeAbandonable(abandoned)
    let failing = Promise()
    let all = Promise.all([input.drop(), failing])
    failing.reject(Failure())
    XCTAssertEqual(abandoned.value, 1)
    withExtendedLifetime((all, resolver)) {}
  }

  // Spec: K4.2
  func testResultWithoutConsumersReleasesItsInputs() {
    let abandoned = Counter()
    let (input, resolver) = makeAbandonable(abandoned)
    var all: Promise? = Promise.all([input.drop(), Promise()])
    XCTAssertEqual(abandoned.value, 0, "the result keeps its inputs")
    XCTAssertNotNil(all)
    all = nil
    XCTAssertEqual(abandoned.value, 1)
    withExtendedLifetime(resolver) {}
  }

  // Spec: K4.3
  func testResultWithHandlersIsFollowedThrough() {
    let abandoned = Counter()
    let values = Log<Int>()
    let (input, resolver) = makeAbandonable(abandoned)
    Promise.all([input.drop()]).thenOn(.immediate) { values.append(($0 as! [Any])[0] as! Int) }
    resolver.fulfill(7)
    XCTAssertEqual(values.all, [7])
    XCTAssertEqual(abandoned.value, 0)
  }

  // Spec: K4.4
  func testNothingIsKeptAfterTheOutcome() {
    let alive = Aviary()
    for combine: ([Any]) -> Promise in [
      { Promise.all($0) }, { Promise.allSettled($0) }, { Promise.any($0) }, { Promise.race($0) },
    ] {
      let long = Promise()
      let short = Promise()
      do {
        let canary = alive.make()
        combine([long, short]).then { _ in withExtendedLifetime(canary) {} }.cancel()
        let result = combine([long, short])
        let again = alive.make()
        result.thenOn(
          .immediate, { _ in withExtendedLifetime(again) {} }, { _ in withExtendedLifetime(again) {} })
        result.cancel()
        short.fulfill(alive.make())
      }
      withExtendedLifetime(long) {}
    }
    alive.waitUntilEmpty()
  }

  /// A promise that is counted when it is deallocated unresolved.
  private func makeAbandonable(_ abandoned: Counter) -> (Giver, Resolver) {
    let (promise, resolver) = Promise.pending()
    resolver.onAbandon { abandoned.increment() }
    return (Giver(promise), resolver)
  }
}

/// Returns its promise once and releases it, so that the test does not retain the promise.
private final class Giver {
  private var promise: Promise?
  init(_ promise: Promise) { self.promise = promise }

  func drop() -> Promise {
    defer { promise = nil }
    return promise!
  }
}
