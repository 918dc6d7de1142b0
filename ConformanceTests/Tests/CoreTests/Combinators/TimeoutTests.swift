// Tests of `setTimeout` and `delay`. The tests control the clock where the time matters.

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class TimeoutTests: XCTestCase {
  private let clock = TestContext()

  // Spec: K7.1, K7.3, R6.5, X1.6
  func testRejectsWhenTheTimeIsOver() throws {
    let promise = Promise(on: clock)
    let child = promise.setTimeout(10)
    XCTAssertTrue(child.parent === promise)
    clock.advance(by: 9)
    XCTAssertTrue(child.isPending)
    clock.advance(by: 1)
    guard case PromiseError.timeout = try child.reason() else { return XCTFail("\(try child.reason())") }
    XCTAssertFalse(child.isCancelled)
    XCTAssertTrue(promise.isPending, "the receiver stays pending")
    promise.fulfill(1)
    XCTAssertTrue(child.isRejected)
  }

  // Spec: K7.19
  func testItNamesThePromise() throws {
    let (login, resolver) = Promise.pending(on: clock, fileID: "App/Main.swift", line: 7)
    let step = login.then { $0 }
    let named = Promise(on: clock).named("upload")
    let deadline = Deadline.after(1, on: clock)
    let late: [(Promise, String)] = [
      (login.setTimeout(1), ", 1 step below the promise made at App/Main.swift:7"),
      (step.setTimeout(1), ", 2 steps below the promise made at App/Main.swift:7"),
      (step.timeout(1, cancelling: true), ", 2 steps below the promise made at App/Main.swift:7"),
      (named.timeout(deadline), ", 1 step below \"upload\""),
      (named.timeout(deadline, cancelling: true), ", 1 step below \"upload\""),
      (Promise(on: clock).setTimeout(1), ""),
    ]
    clock.advance(by: 1)
    for (promise, place) in late {
      let reason = try promise.reason()
      guard case PromiseError.timeout = reason else { return XCTFail("\(reason)") }
      XCTAssertEqual("\(reason)", "timed out\(place)")
    }
    guard case PromiseError.timeoutBelow(let found?) = try late[1].0.reason() else { return XCTFail() }
    XCTAssertEqual(found.steps, 2)
    XCTAssertEqual("\(PromiseError.timeout)", "timed out")
    resolver.fulfill(1)
  }

  // Spec: K7.2, K7.5
  func testFollowsThePromiseInTime() throws {
    let promise = Promise(on: clock)
    let child = promise.setTimeout(10)
    let other = promise.setTimeout(20)
    promise.fulfill("in time")
    XCTAssertEqual(try child.value(), "in time")
    XCTAssertEqual(try other.value(), "in time")
    XCTAssertEqual(clock.pendingTimers, 0, "both timers are cancelled")
    clock.advance(by: 100)
    XCTAssertTrue(child.isFulfilled)
    XCTAssertTrue(promise.setTimeout(0).isFulfilled, "a settled promise never times out")
    XCTAssertEqual(clock.pendingTimers, 0)

    let failing = Promise(on: clock)
    let failure = Failure()
    let rejected = failing.setTimeout(1)
    failing.reject(failure)
    XCTAssertTrue(try rejected.reason() as? Failure === failure)
  }

  // Spec: K7.3
  func testSystemClock() throws {
    guard case PromiseError.timeout = try Promise().setTimeout(0.001).reason() else { return XCTFail() }
    XCTAssertEqual(try Promise.delay(0.001, "later").value(), "later")
    let queue = DispatchQueue(label: "default context")
    guard case PromiseError.timeout = try Promise(on: queue).setTimeout(0.001).reason() else {
      return XCTFail()
    }
  }

  // Spec: K7.4, H10.7
  func testOddTimes() throws {
    for seconds in [0, -0.0, -1, .nan, -.infinity, .leastNonzeroMagnitude] as [Double] {
      guard case PromiseError.timeout = try Promise().setTimeout(seconds).reason() else { return XCTFail() }
      let clock = KeepingClock()
      let child = Promise(on: clock).setTimeout(seconds)
      XCTAssertTrue(child.isPending, "the child is pending when the call returns")
      XCTAssertTrue(clock.delays.all.allSatisfy { $0 >= 0 && $0 < 1 })
      clock.jobs.all[0]()
      XCTAssertTrue(child.isRejected)
      XCTAssertEqual(try Promise.delay(seconds, 1).value(), 1)
    }
    for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e9] {
      let promise = Promise(on: clock)
      let child = promise.setTimeout(seconds)
      XCTAssertEqual(clock.pendingTimers, 0)
      XCTAssertTrue(Promise.delay(seconds, 1, on: clock).isPending)
      promise.fulfill(1)
      XCTAssertTrue(child.isFulfilled)
    }
  }

  // Spec: K7.6
  func testCancelledChildLeavesNothing() {
    let source = Unretained(on: clock) { promise in
      promise.setTimeout(3600).cancel()
      XCTAssertTrue(promise.isPending)
    }
    XCTAssertEqual(source.abandonments, 1)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: K7.6
  func testCancelOfThePromiseReachesTheChild() {
    let promise = Promise(on: clock)
    let child = promise.setTimeout(3600)
    promise.cancel()
    XCTAssertTrue(child.isCancelled)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: L1.7, K7.7, K7.12
  func testLongTimerDoesNotKeepASettledPromise() {
    // The timer uses the system's clock. An hour is longer than any test.
    for cancels in [false, true] {
      let (census, alive) = (Census(), LiveCount())
      do {
        let promise = census.add(Promise())
        let child = census.add(promise.timeout(3600, cancelling: cancels))
        promise.fulfill(alive.make())
        XCTAssertTrue(child.isFulfilled)
      }
      alive.waitUntilEmpty()
      XCTAssertEqual(census.alive, 0)
    }
  }

  // Spec: L1.7, K7.7
  func testTimedOutPromiseIsAbandoned() {
    let source = Unretained(on: clock) { $0.setTimeout(10).catch { _ in 0 } }
    XCTAssertEqual(source.abandonments, 0, "the waiting child retains the promise")
    clock.advance(by: 10)
    XCTAssertEqual(source.abandonments, 1, "the timed-out child releases the promise")
  }

  // Spec: K7.8
  func testDelay() throws {
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
  func testDelayIsCalledOff() {
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

  // Spec: K7.10
  func testClockThatDropsTheJob() throws {
    let delayed = Promise.delay(1, on: clock)
    let promise = Promise(on: clock)
    let child = promise.setTimeout(1)
    clock.dropAll()
    guard case PromiseError.broken = try delayed.reason() else { return XCTFail("\(try delayed.reason())") }
    XCTAssertTrue(child.isPending, "the child still waits for its parent")
    promise.fulfill(1)
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: K7.10
  func testClockThatRunsTheJobTwice() {
    let (clock, settlements) = (KeepingClock(), Counter())
    let child = Promise(on: clock).setTimeout(1)
    child.thenOn(.immediate, nil, { _ in settlements.increment() })
    for _ in 0..<2 { clock.jobs.all[0]() }
    XCTAssertEqual(settlements.value, 1)
  }

  // Spec: K7.7, K7.12
  func testTimeAgainstSettling() {
    let alive = LiveCount()
    race(lanes: 2, rounds: 800) { round in
      let clock = TestContext()
      let promise = Promise(on: clock)
      let child = promise.timeout(1, cancelling: round % 2 == 0)
      let (outcomes, canary) = (Counter(), alive.make())
      child.thenOn(
        .immediate, { _ in use(canary, outcomes.increment()) }, { _ in use(canary, outcomes.increment()) })
      let check = {
        XCTAssertEqual(outcomes.value, 1)
        XCTAssertEqual(clock.pendingTimers, 0)
        XCTAssertTrue(promise.isSettled)
        if promise.isCancelled { XCTAssertTrue(child.isRejected) }
      }
      return ([{ promise.fulfill(1) }, { clock.advance(by: 1) }], check)
    }
    alive.waitUntilEmpty()
  }
}
