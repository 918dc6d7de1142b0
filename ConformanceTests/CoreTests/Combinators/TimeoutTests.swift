// `setTimeout` and `delay`. The clock is the tests' own where it matters.

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import XCTest

final class TimeoutTests: XCTestCase {
  // Spec: K7.1
  func testRejectsWhenTheTimeIsOver() throws {
    let clock = ManualClock()
    let promise = Promise(on: clock)
    let child = promise.setTimeout(10)
    XCTAssertTrue(child.parent === promise)
    clock.advance(9)
    XCTAssertTrue(child.isPending)
    clock.advance(1)
    guard case PromiseError.timeout = try child.reason() else { return XCTFail("\(try child.reason())") }
    XCTAssertFalse(child.isCancelled)
    XCTAssertTrue(promise.isPending, "the receiver continues")
    promise.fulfill(1)
    XCTAssertTrue(child.isRejected)
  }

  // Spec: K7.19
  func testItNamesThePromise() throws {
    let clock = ManualClock()
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
    clock.advance(1)
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

  // Spec: K7.2
  func testFollowsThePromiseInTime() throws {
    let clock = ManualClock()
    let promise = Promise(on: clock)
    let child = promise.setTimeout(10)
    let other = promise.setTimeout(20)
    promise.fulfill("in time")
    XCTAssertEqual(try child.value(), "in time")
    XCTAssertEqual(try other.value(), "in time")
    XCTAssertEqual(clock.armed, 0, "no timer is left")
    clock.advance(100)
    XCTAssertTrue(child.isFulfilled)

    let failing = Promise(on: clock)
    let failure = Failure()
    let rejected = failing.setTimeout(1)
    failing.reject(failure)
    XCTAssertTrue(try rejected.reason() as? Failure === failure)
  }

  // Spec: K7.3
  func testSystemClock() throws {
    let promise = Promise()
    guard case PromiseError.timeout = try promise.setTimeout(0.001).reason() else { return XCTFail() }
    XCTAssertEqual(try Promise.delay(0.001, "later").value(), "later")
    let queue = DispatchQueue(label: "default context")
    guard case PromiseError.timeout = try Promise(on: queue).setTimeout(0.001).reason() else {
      return XCTFail()
    }
  }

  // Spec: K7.4
  func testOddTimes() throws {
    for seconds in [0, -0.0, -1, .nan, -.infinity, .leastNonzeroMagnitude] as [Double] {
      guard case PromiseError.timeout = try Promise().setTimeout(seconds).reason() else { return XCTFail() }
      let clock = ManualClock()
      let child = Promise(on: clock).setTimeout(seconds)
      XCTAssertTrue(child.isPending, "never before the call returns")
      XCTAssertTrue(clock.delays.allSatisfy { $0 >= 0 && $0 < 1 })
      clock.advance(0.5)
      XCTAssertTrue(child.isRejected)
      XCTAssertEqual(try Promise.delay(seconds, 1).value(), 1)
    }
    for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e9] {
      let clock = ManualClock()
      let promise = Promise(on: clock)
      let child = promise.setTimeout(seconds)
      XCTAssertEqual(clock.armed, 0)
      XCTAssertTrue(Promise.delay(seconds, 1, on: clock).isPending)
      promise.fulfill(1)
      XCTAssertTrue(child.isFulfilled)
    }
  }

  // Spec: K7.5
  func testSettledPromiseNeverTimesOut() {
    let clock = ManualClock()
    let promise = Promise(on: clock)
    promise.fulfill(1)
    XCTAssertTrue(promise.setTimeout(0).isFulfilled)
    XCTAssertEqual(clock.armed, 0)
  }

  // Spec: K7.6
  func testCancelledChildLeavesNothing() {
    let clock = ManualClock()
    let abandoned = Counter()
    let resolver: Resolver
    do {
      let (promise, task) = Promise.pending(on: clock)
      resolver = task
      resolver.onAbandon { abandoned.increment() }
      promise.setTimeout(3600).cancel()
      XCTAssertTrue(promise.isPending)
    }
    XCTAssertEqual(abandoned.value, 1)
    XCTAssertEqual(clock.armed, 0)
    withExtendedLifetime(resolver) {}
  }

  // Spec: K7.6
  func testCancelOfThePromiseReachesTheChild() {
    let clock = ManualClock()
    let promise = Promise(on: clock)
    let child = promise.setTimeout(3600)
    promise.cancel()
    XCTAssertTrue(child.isCancelled)
    XCTAssertEqual(clock.armed, 0)
  }

  // Spec: L1.7, K7.7
  func testLongTimerDoesNotKeepASettledPromise() {
    // On the system's clock: an hour is longer than any test.
    let promise: WeakReference<Promise>
    let child: WeakReference<Promise>
    let value: WeakReference<Canary>
    do {
      let held = Promise()
      promise = WeakReference(held)
      let timed = held.setTimeout(3600)
      child = WeakReference(timed)
      let canary = Canary()
      value = WeakReference(canary)
      held.fulfill(canary)
      XCTAssertTrue(timed.isFulfilled)
    }
    XCTAssertNil(promise.object)
    XCTAssertNil(child.object)
    XCTAssertNil(value.object)
  }

  // Spec: L1.7, K7.7
  func testTimedOutPromiseIsAbandoned() {
    let clock = ManualClock()
    let abandoned = Counter()
    let resolver: Resolver
    do {
      let (promise, task) = Promise.pending(on: clock)
      resolver = task
      resolver.onAbandon { abandoned.increment() }
      promise.setTimeout(10).catch { _ in 0 }
    }
    XCTAssertEqual(abandoned.value, 0, "the child waits, so the promise lives")
    clock.advance(10)
    XCTAssertEqual(abandoned.value, 1, "and no longer")
    withExtendedLifetime(resolver) {}
  }

  // Spec: K7.8
  func testDelay() throws {
    let clock = ManualClock()
    let delayed = Promise.delay(5, "value", on: clock)
    let plain = Promise.delay(5, on: clock)
    let adopting = Promise.delay(5, Promise.resolved("adopted"), on: clock)
    let ran = Counter()
    delayed.then { _ in ran.increment() }
    clock.advance(4)
    XCTAssertTrue(delayed.isPending)
    clock.advance(1)
    XCTAssertEqual(try delayed.value(), "value")
    XCTAssertNoThrow(try plain.value(as: Void.self))
    XCTAssertEqual(try adopting.value(), "adopted")
    XCTAssertEqual(ran.value, 0)
    clock.drain()
    XCTAssertEqual(ran.value, 1, "its handlers run on the same context")
  }

  // Spec: K7.9
  func testDelayIsCalledOff() {
    let clock = ManualClock()
    let value: WeakReference<Canary>
    do {
      let canary = Canary()
      value = WeakReference(canary)
      let delayed = Promise.delay(3600, canary, on: clock)
      XCTAssertEqual(clock.armed, 1)
      delayed.cancel()
      XCTAssertEqual(clock.armed, 0)
      XCTAssertTrue(delayed.isCancelled)
    }
    XCTAssertNil(value.object)
    _ = Promise.delay(3600, on: clock)
    XCTAssertEqual(clock.armed, 0, "nothing waits")
    let done = Counter()
    Promise.delay(3600, on: clock).thenOn(.immediate) { _ in done.increment() }
    clock.advance(3600)
    XCTAssertEqual(done.value, 1, "a handler waits")
  }

  // Spec: K7.10
  func testClockThatDropsTheJob() throws {
    let clock = ManualClock()
    let delayed = Promise.delay(1, on: clock)
    let promise = Promise(on: clock)
    let child = promise.setTimeout(1)
    clock.dropTimers()
    guard case PromiseError.broken = try delayed.reason() else { return XCTFail("\(try delayed.reason())") }
    XCTAssertTrue(child.isPending, "it has the promise to follow")
    promise.fulfill(1)
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: K7.10
  func testClockThatRunsTheJobTwice() throws {
    let clock = ManualClock()
    clock.firesTwice = true
    let child = Promise(on: clock).setTimeout(1)
    let settlements = Counter()
    child.thenOn(.immediate, nil, { _ in settlements.increment() })
    clock.advance(1)
    XCTAssertEqual(settlements.value, 1)
  }

  // Spec: K7.7
  func testTimeAgainstSettling() {
    let alive = Aviary()
    race(lanes: 2, rounds: 500) { _ in
      let clock = ManualClock()
      let promise = Promise(on: clock)
      let child = promise.setTimeout(1)
      let outcomes = Counter()
      let canary = alive.make()
      child.thenOn(
        .immediate, { _ in withExtendedLifetime(canary) { outcomes.increment() } },
        { _ in withExtendedLifetime(canary) { outcomes.increment() } })
      let parts: [RaceTrack.Part] = [{ promise.fulfill(1) }, { clock.advance(1) }]
      return (
        parts,
        {
          XCTAssertEqual(outcomes.value, 1)
          XCTAssertEqual(clock.armed, 0)
        }
      )
    }
    alive.waitUntilEmpty()
  }
}

/// A stepped context with a clock that a test moves by hand.
private final class ManualClock: TimerContext, @unchecked Sendable {
  private struct Armed {
    let due: Double
    let job: @Sendable () -> Void
  }

  private let jobs = SteppedContext()
  private let queue = DispatchQueue(label: "clock")
  private var now = 0.0
  private var nextID = 0
  private var timers: [Int: Armed] = [:]
  /// The delays that were asked for.
  let delayLog = Log<Double>()
  var firesTwice = false

  var delays: [Double] { delayLog.all }
  var armed: Int { queue.sync { timers.count } }

  func execute(_ job: @escaping @Sendable () -> Void) { jobs.execute(job) }
  func drain() { jobs.drain() }

  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    delayLog.append(seconds)
    let id = queue.sync {
      nextID += 1
      timers[nextID] = Armed(due: now + seconds, job: job)
      return nextID
    }
    return { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    let removed = queue.sync { timers.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  func advance(_ seconds: Double) {
    let due = queue.sync {
      now += seconds
      let due = timers.filter { $0.value.due <= now }.sorted {
        ($0.value.due, $0.key) < ($1.value.due, $1.key)
      }
      for (id, _) in due { timers[id] = nil }
      return due
    }
    for (_, timer) in due {
      timer.job()
      if firesTwice { timer.job() }
    }
  }

  func dropTimers() {
    let dropped = queue.sync {
      let all = timers
      timers = [:]
      return all
    }
    withExtendedLifetime(dropped) {}
  }
}
