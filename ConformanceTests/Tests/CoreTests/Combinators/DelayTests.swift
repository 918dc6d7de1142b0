// `Promise.delay`, and `delay` as a step (K7.8, K7.9, K7.14 to K7.17).

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class DelayTests: XCTestCase {
  private let clock = TestContext()

  // Spec: K7.8
  func testDelayResolvesItsPromiseWhenTheTimeHasElapsed() throws {
    let delayed = Promise.delay(5, "value", on: clock)
    let plain = Promise.delay(5, on: clock)
    let adopting = Promise.delay(5, Promise.resolved("adopted"), on: clock)
    let ran = Counter()
    delayed.then { _ in ran.increment() }
    clock.advance(by: 4)
    XCTAssertTrue(delayed.isPending)
    clock.advanceToNextTimer()
    clock.drain(limit: 3)
    XCTAssertEqual(try delayed.value(), "value")
    XCTAssertNoThrow(try plain.value(as: Void.self))
    XCTAssertEqual(try adopting.value(), "adopted")
    XCTAssertEqual(ran.value, 0)
    clock.drain()
    XCTAssertEqual(ran.value, 1, "the handlers run on the clock's context")
  }

  // Spec: K7.9
  func testACancelledOrAbandonedDelayCancelsItsTimer() {
    let (freed, done) = (Counter(), Counter())
    let delayed = Promise.delay(3600, Canary { freed.increment() }, on: clock)
    XCTAssertEqual(clock.pendingTimers, 1)
    delayed.cancel()
    XCTAssertEqual(clock.pendingTimers, 0)
    XCTAssertTrue(delayed.isCancelled)
    XCTAssertEqual(freed.value, 1)
    _ = Promise.delay(3600, on: clock)
    XCTAssertEqual(clock.pendingTimers, 0, "nothing retains the delay")
    Promise.delay(3600, on: clock).thenOn(.immediate) { _ in done.increment() }
    clock.advance(by: 3600)
    XCTAssertEqual(done.value, 1, "a handler retains the delay")
  }

  // Spec: L4.9
  func testManyDelaysOfOnePromiseNeedNoDeepStack() {
    onSmallStack { [clock] in
      let promise = Promise(on: clock)
      let delayed = (0..<5000).map { _ in promise.delay(1) }
      promise.fulfill(0)
      clock.advance(by: 1)
      XCTAssertTrue(delayed.allSatisfy(\.isFulfilled))
    }
  }

  // Spec: K7.14
  func testTheStepPassesTheValueOnAfterTheDelay() throws {
    let value = Canary()
    let promise = Promise(on: clock)
    let delayed = promise.delay(10)
    XCTAssertTrue(delayed.parent === promise)
    clock.advance(by: 100)
    promise.fulfill(value)
    XCTAssertEqual(clock.nextTimer, 110, "the delay starts at the fulfillment")
    clock.advance(by: 9)
    XCTAssertTrue(delayed.isPending)
    clock.advance(by: 1)
    XCTAssertTrue(try delayed.value(as: Canary.self) === value)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: K7.14
  func testTheStepPassesAPromiseOrErrorOnUnchanged() throws {
    for value in [Promise(), Failure()] as [AnyObject] {
      let promise = Promise(on: clock)
      promise.fulfill(value)
      let delayed = promise.delay(1)
      clock.advance(by: 1)
      XCTAssertTrue(try delayed.value(as: AnyObject.self) === value)
    }
  }

  // Spec: K7.14
  func testARejectionIsNotDelayed() throws {
    let failure = Failure()
    let promise = Promise(on: clock)
    let delayed = promise.delay(10)
    let late = Promise.rejected(failure, on: clock).delay(10)
    promise.reject(failure)
    XCTAssertTrue(delayed.reasonNow === failure)
    XCTAssertTrue(late.reasonNow === failure)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: K7.15
  func testUnusualTimesAreAccepted() throws {
    for seconds in [0, -1, .nan] as [Double] {
      let delayed = Promise.resolved(1, on: clock).delay(seconds)
      XCTAssertTrue(delayed.isPending, "\(seconds): the call itself does not settle the step")
      clock.advance(by: 0.001)
      XCTAssertEqual(try delayed.value(), 1, "\(seconds)")
    }
    XCTAssertTrue(Promise.resolved(1, on: clock).delay(.infinity).isPending)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: K7.16
  func testACancelledStepCancelsItsTimer() {
    let freed = Counter()
    Promise.resolved(Canary { freed.increment() }, on: clock).delay(10).cancel()
    XCTAssertEqual(clock.pendingTimers, 0)
    XCTAssertEqual(freed.value, 1)
    // The value is freed even if the clock retains the job.
    let keeping = KeepingClock()
    Promise.resolved(Canary { freed.increment() }, on: keeping).delay(10).cancel()
    XCTAssertEqual([keeping.jobs.count, freed.value], [1, 2])
  }

  // Spec: K7.16
  func testAnAbandonedStepCancelsItsTimer() {
    let (freed, ran) = (Counter(), Counter())
    _ = Promise.resolved(Canary { freed.increment() }, on: clock).delay(10)
    XCTAssertEqual([clock.pendingTimers, freed.value], [0, 1])
    // A pending handler retains the delayed step, although no variable refers to the step.
    Promise.resolved(1, on: clock).delay(10).then { _ in ran.increment() }
    clock.advance(by: 10)
    XCTAssertEqual(ran.value, 1)
  }

  // Spec: K7.17
  func testAStepIsBrokenIfTheClockDropsItsJob() throws {
    let delayed = Promise.resolved(1, on: clock).delay(10)
    clock.dropAll()
    guard case PromiseError.broken = try delayed.reason() else { return XCTFail("\(delayed)") }
  }
}
