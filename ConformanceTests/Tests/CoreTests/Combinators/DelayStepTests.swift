// Tests of `delay` as a step of a chain. The tests control the clock where the time matters.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class DelayStepTests: XCTestCase {
  private let clock = TestContext()

  // Spec: K7.14
  func testTheValueIsPassedOnLater() throws {
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
  func testAValueThatIsAPromiseOrAnErrorStaysOne() throws {
    for value in [Promise(), Failure()] as [AnyObject] {
      let promise = Promise(on: clock)
      promise.fulfill(value)
      let delayed = promise.delay(1)
      clock.advance(by: 1)
      XCTAssertTrue(try delayed.value(as: AnyObject.self) === value)
    }
  }

  // Spec: K7.14
  func testARejectionIsNotHeldUp() throws {
    let failure = Failure()
    let promise = Promise(on: clock)
    let delayed = promise.delay(10)
    let late = Promise.rejected(failure, on: clock).delay(10)
    promise.reject(failure)
    XCTAssertTrue(delayed.reasonNow === failure)
    XCTAssertTrue(late.reasonNow === failure)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: K7.14
  func testInAChainAndOnTheSystemsClock() throws {
    let chained = Promise.resolved(1).then { _ in 2 }.delay(0.001).then { (number: Int) in number + 1 }
    XCTAssertEqual(try chained.value(), 3)
    XCTAssertEqual(try Promise.resolved("value").delay(0.001).value(), "value")
  }

  // Spec: K7.15
  func testOddTimes() throws {
    for seconds in [0, -0.0, -1, .nan, -.infinity] as [Double] {
      let delayed = Promise.resolved(1, on: clock).delay(seconds)
      XCTAssertTrue(delayed.isPending, "\(seconds): the call itself does not settle the step")
      clock.advance(by: 0.001)
      XCTAssertEqual(try delayed.value(), 1, "\(seconds)")
    }
    for seconds in [.infinity, 1e9, .greatestFiniteMagnitude] as [Double] {
      let delayed = Promise.resolved(1, on: clock).delay(seconds)
      XCTAssertEqual(clock.pendingTimers, 0, "\(seconds)")
      XCTAssertTrue(delayed.isPending)
      delayed.cancel()
    }
  }

  // Spec: K7.16
  func testCancelWhileItWaits() {
    let freed = Counter()
    let delayed = Promise.resolved(Canary { freed.increment() }, on: clock).delay(10)
    XCTAssertEqual(clock.pendingTimers, 1)
    delayed.cancel("closed")
    XCTAssertTrue(delayed.isCancelled)
    XCTAssertEqual(clock.pendingTimers, 0)
    XCTAssertEqual(freed.value, 1)

    // The value is freed even if the clock retains the job.
    let keeping = KeepingClock()
    Promise.resolved(Canary { freed.increment() }, on: keeping).delay(10).cancel()
    XCTAssertEqual(keeping.jobs.count, 1)
    XCTAssertEqual(freed.value, 2)

    for root in [Promise(on: clock), Promise.resolved(1, on: clock)] {
      let step = root.delay(10)
      root.cancel()
      XCTAssertTrue(step.isCancelled, "a cancel of the root cancels the step")
      XCTAssertEqual(clock.pendingTimers, 0)
    }
  }

  // Spec: K7.16
  func testOneThatNothingRetainsIsCalledOff() {
    let (freed, ran) = (Counter(), Counter())
    do {
      let delayed = Promise.resolved(Canary { freed.increment() }, on: clock).delay(10)
      XCTAssertEqual(clock.pendingTimers, 1)
      withExtendedLifetime(delayed) {}
    }
    XCTAssertEqual(clock.pendingTimers, 0)
    XCTAssertEqual(freed.value, 1)

    // A pending handler retains the delayed step, although no variable refers to the step.
    Promise.resolved(1, on: clock).delay(10).then { _ in ran.increment() }
    clock.advance(by: 10)
    XCTAssertEqual(ran.value, 1)
  }

  // Spec: K7.16
  func testItIsNoConsumer() {
    let target = Promise(on: clock)
    let delayed = target.delay(10)
    Promise.resolved(target).cancel()
    XCTAssertTrue(target.isCancelled && delayed.isCancelled)

    let kept = Promise(on: clock)
    let consumer = kept.delay(10).then { $0 }
    Promise.resolved(kept).cancel()
    XCTAssertTrue(kept.isPending, "the delayed step has a consumer")
    consumer.cancel()
    XCTAssertTrue(kept.isCancelled)
  }

  // Spec: K7.17
  func testAClockThatDropsItsJob() throws {
    let delayed = Promise.resolved(1, on: clock).delay(10)
    clock.dropAll()
    guard case PromiseError.broken = try delayed.reason() else { return XCTFail("\(delayed)") }
  }
}
