// `setTimeout` and `timeout` (K7.1 to K7.7, K7.10 to K7.13, K7.18, K7.19).

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class TimeoutTests: XCTestCase {
  private let clock = TestContext()
  private let context = TestContext()

  // Spec: K7.1, K7.3, R6.5, X1.6
  func testTheChildIsRejectedWhenTheTimeHasElapsed() throws {
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
  func testTheErrorNamesThePromise() throws {
    let (login, resolver) = Promise.pending(on: clock, fileID: "App/Main.swift", line: 7)
    let step = login.then { $0 }
    let named = Promise(on: clock).named("upload")
    let late: [(Promise, String)] = [
      (login.setTimeout(1), ", 1 step below the promise made at App/Main.swift:7"),
      (step.timeout(1, cancelling: true), ", 2 steps below the promise made at App/Main.swift:7"),
      (named.timeout(1), ", 1 step below \"upload\""),
      (Promise(on: clock).setTimeout(1), ""),
    ]
    clock.advance(by: 1)
    for (promise, place) in late {
      let reason = try promise.reason()
      guard case PromiseError.timeout = reason else { return XCTFail("\(reason)") }
      XCTAssertEqual("\(reason)", "timed out\(place)")
    }
    guard case PromiseError.timeoutBelow(let found?) = try late[1].0.reason() else { return XCTFail() }
    XCTAssertTrue(found.hasPrefix("2 steps below "), found)
    resolver.fulfill(1)
  }

  // Spec: K7.2, K7.5
  func testTheChildSettlesLikeTheReceiverInTime() throws {
    let (promise, failing, failure) = (Promise(on: clock), Promise(on: clock), Failure())
    let (child, rejected) = (promise.setTimeout(10), failing.setTimeout(1))
    promise.fulfill("in time")
    failing.reject(failure)
    XCTAssertEqual(try child.value(), "in time")
    XCTAssertTrue(try rejected.reason() as? Failure === failure)
    XCTAssertTrue(promise.setTimeout(0).isFulfilled, "a settled promise never times out")
    XCTAssertEqual(clock.pendingTimers, 0, "the timers are cancelled")
  }

  // Spec: K7.3
  func testTheSystemsClockIsTheDefault() throws {
    guard case PromiseError.timeout = try Promise().setTimeout(0.001).reason() else { return XCTFail() }
    XCTAssertEqual(try Promise.delay(0.001, "later").value(), "later")
    let queue = DispatchQueue(label: "default context")
    guard case PromiseError.timeout = try Promise(on: queue).setTimeout(0.001).reason() else {
      return XCTFail()
    }
  }

  // Spec: K7.4, H10.7
  func testUnusualTimesAreAccepted() throws {
    for seconds in [0, -0.0, -1, .nan, -.infinity, .leastNonzeroMagnitude] as [Double] {
      let clock = KeepingClock()
      let child = Promise(on: clock).setTimeout(seconds)
      XCTAssertTrue(child.isPending, "the child is pending when the call returns")
      XCTAssertTrue(clock.delays.all.allSatisfy { $0 >= 0 && $0 < 1 })
      clock.jobs.all[0]()
      XCTAssertTrue(child.isRejected)
      XCTAssertEqual(try Promise.delay(seconds, 1).value(), 1)
    }
    for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e9] {
      XCTAssertTrue(Promise(on: clock).setTimeout(seconds).isPending)
      XCTAssertTrue(Promise.delay(seconds, 1, on: clock).isPending)
      XCTAssertEqual(clock.pendingTimers, 0)
    }
  }

  // Spec: K7.6
  func testACancelledChildCancelsItsTimer() {
    let source = Unretained(on: clock) { promise in
      promise.setTimeout(3600).cancel()
      XCTAssertTrue(promise.isPending)
    }
    XCTAssertEqual(source.abandonments, 1)
    XCTAssertEqual(clock.pendingTimers, 0)
  }

  // Spec: L1.7, K7.7, K7.12
  func testALongTimerDoesNotRetainASettledPromise() {
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
  func testAReceiverIsAbandonedWhenItsTimeHasElapsed() {
    let source = Unretained(on: clock) { $0.setTimeout(10).catch { _ in 0 } }
    XCTAssertEqual(source.abandonments, 0, "the waiting child retains the promise")
    clock.advance(by: 10)
    XCTAssertEqual(source.abandonments, 1, "the timed-out child releases the promise")
  }

  // Spec: K7.10
  func testTheClockMayDropTheJob() throws {
    let delayed = Promise.delay(1, on: clock)
    let promise = Promise(on: clock)
    let child = promise.setTimeout(1)
    clock.dropAll()
    guard case PromiseError.broken = try delayed.reason() else { return XCTFail("\(try delayed.reason())") }
    XCTAssertTrue(child.isPending, "the child still waits for its parent")
    promise.fulfill(1)
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: K7.11
  func testACancellingTimeoutCancelsTheChain() throws {
    let root = Promise(on: context)
    let chain = root.then { $0 }.then { $0 }
    let child = chain.timeout(10, cancelling: true)
    let waiter = child.then({ _ in "value" }, { "\($0)" })
    XCTAssertNil(child.parent)
    context.advance(by: 9)
    XCTAssertTrue(child.isPending && root.isPending)
    context.advance(by: 1)
    guard case PromiseError.timeout = try child.reason() else { return XCTFail("\(child)") }
    XCTAssertFalse(child.isCancelled)
    XCTAssertTrue(chain.isCancelled && root.isCancelled)
    XCTAssertTrue(try root.reason() is CancellationError)
    XCTAssertEqual(try waiter.value(), "timed out", "the result reports the timeout, not the cancel")
  }

  // Spec: K7.12
  func testACancelledTimeoutWithdrawsFromItsSource() throws {
    let (failure, source) = (Failure(), Promise(on: context))
    source.timeout(10, cancelling: true).cancel(failure)
    XCTAssertTrue(source.isCancelled)
    XCTAssertTrue(try source.reason() as? Failure === failure)
    XCTAssertEqual(context.pendingTimers, 0)
  }

  // Spec: K7.12
  func testNothingIsCancelledInTime() throws {
    let source = Promise(on: context)
    let below = source.then { _ in Promise() }
    let child = source.timeout(10, cancelling: true)
    source.fulfill("in time")
    context.drain()
    XCTAssertEqual(try child.value(), "in time")
    child.cancel()
    XCTAssertTrue(below.isPending)
    XCTAssertFalse(source.isCancelled)
    XCTAssertEqual(context.pendingTimers, 0)
  }

  // Spec: K7.18
  func testTheErrorIsMadeOnlyWhenTheTimeIsOver() {
    let made = Counter()
    @Sendable func slow() -> Failure {
      made.increment()
      return Failure()
    }
    let source = Promise(on: context)
    let (limited, inTime) = (
      source.timeout(2, error: slow()), source.setTimeout(1, error: slow()).catch { _ in }
    )
    context.advance(by: 1)
    source.fulfill()
    context.advance(by: 1)
    XCTAssertTrue(limited.isFulfilled && inTime.isFulfilled)
    XCTAssertEqual(made.value, 1)
  }

  // Spec: K7.11, K7.18
  func testTheCallerMayChooseTheError() throws {
    let failure = Failure("slow")
    let source = Promise(on: context)
    let limited = [
      source.setTimeout(1, error: failure), source.timeout(1, error: failure),
    ]
    let stopped = Promise(on: context).timeout(1, cancelling: true, error: failure)
    context.advance(by: 1)
    for child in limited + [stopped] { XCTAssertTrue(try child.reason() as? Failure === failure) }
  }
}
