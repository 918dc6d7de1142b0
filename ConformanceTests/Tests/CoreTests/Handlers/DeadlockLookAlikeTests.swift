// Waits that look like deadlocks, but end (H2.10). Most of these waits have long time limits, so that only a
// false alarm fails the test.

import DynamicPromise
import XCTest

final class DeadlockLookAlikeTests: XCTestCase {
  private let home = DispatchQueue(label: "home")

  /// Waits for `promise` in a job of `context`, or of `home`. Runs `body` when the wait has passed its check
  /// and blocks.
  private func waiting(
    for promise: Promise, on context: (any ExecutionContext)? = nil, line: UInt = #line,
    _ body: @escaping @Sendable () -> Void
  ) -> WaitOutcome {
    let (lookout, context) = (Lookout(), context ?? home)
    let child = promise.thenOn(lookout, { $0 }, { (reason: any Error) -> Int in throw reason })
    lookout.whenBlocked(line: line, body)
    return inside(context, line: line) { try child.get(timeout: patience) }
  }

  // Spec: H2.10
  func testOtherContexts() {
    let root = Promise(on: home)
    let elsewhere = root.thenOn(DispatchQueue(label: "other")) { $0 }.thenOn(.shared) { $0 }
      .thenOn(.immediate) { $0 }.thenOn(DispatchQueue.global()) { $0 }
    XCTAssertEqual(waiting(for: elsewhere) { root.fulfill(1) }, .value(1))
    XCTAssertEqual(inside(home) { try Promise.task(on: .shared) { 2 }.get(timeout: patience) }, .value(2))
    let target = DispatchQueue(label: "target")
    let (left, right) = (DispatchQueue(label: "l", target: target), DispatchQueue(label: "r"))
    let needed = Promise.resolved(0).thenOn(right) { _ in 3 }
    XCTAssertEqual(inside(left) { try needed.get(timeout: patience) }, .value(3))
  }

  /// This thread has already run handlers of the promise. Another thread is scheduling more of them.
  // Spec: H2.10
  func testHandlersThatAnotherThreadSchedulesNow() {
    final class Slow: ExecutionContext {
      let (begun, gate) = (Event(), Event())
      func execute(_ job: @escaping @Sendable () -> Void) {
        begun.signal()
        gate.wait()
        job()
      }
    }
    for registersInside in [false, true] {
      let (slow, promise, done) = (Slow(), Promise(on: .immediate), Event())
      let context = SteppedContext()
      promise.then { _ in
        if registersInside { promise.thenOn(context) { _ in } }
      }
      promise.fulfill(1)
      DispatchQueue.global().async {
        promise.thenOn(slow) { _ in }
        done.signal()
      }
      slow.begun.wait()
      let next = promise.then { _ in 2 }
      XCTAssertThrowsError(try next.get(timeout: 0.001)) {
        guard case PromiseError.timeout = $0 else { return XCTFail("\($0)") }
      }
      slow.gate.signal()
      done.wait()
      XCTAssertEqual(try? next.value(), 2)
      context.drain()
    }
  }

  // Spec: H2.10
  func testAPendingRootOnTheOwnContext() {
    let root = Promise(on: home)
    XCTAssertEqual(waiting(for: root) { root.fulfill(1) }, .value(1))
    let follower = Promise(on: home)
    let other = Promise(on: home)
    follower.bind(other)
    XCTAssertEqual(waiting(for: follower.thenOn(.shared) { $0 }) { other.fulfill(2) }, .value(2))
  }

  // Spec: H2.10
  func testHandlersForTheOtherOutcome() {
    let (root, second) = (Promise(), Promise())
    let caught = root.catchOn(home) { _ in 0 }.then { $0 }
    XCTAssertEqual(waiting(for: caught) { root.fulfill(1) }, .value(1))
    // The wait does not need this handler, because `passed` is rejected without a call of the handler.
    let passed = second.thenOn(home) { _ in 0 }
    let recovered = passed.catchOn(.shared) { _ in 2 }
    second.reject(Failure())
    XCTAssertEqual(inside(home) { try recovered.get(timeout: patience) }, .value(2))
  }

  // Spec: H2.10
  func testConcurrentContexts() {
    let pool = DispatchQueue(label: "pool", attributes: .concurrent)
    for context: any ExecutionContext in [
      ReadingContext(pool), DispatchQueue.global(), DefaultContext.shared, Pool(),
    ] {
      XCTAssertEqual(waitingForItself(context), .value(1), "\(context)")
    }
  }

  private func waitingForItself(_ context: some ExecutionContext) -> WaitOutcome {
    inside(context) {
      try Promise.resolved(1).thenOn(context) { $0 }.then { $0 }.get(timeout: patience)
    }
  }

  // Spec: H2.10
  func testAHandlerThatRunsOnAnotherThread() {
    let (runs, goesOn) = (Event(), Event())
    let child = Promise.task {
      runs.signal()
      goesOn.wait()
      return 1
    }
    runs.wait("the handler")
    XCTAssertEqual(waiting(for: child.then { $0 }) { goesOn.signal() }, .value(1))
  }

  // Spec: H2.10
  func testAnAsynchronousHandlerThatHasReturned() throws {
    let (gate, starts) = (Promise(), Event())
    let root = Promise()
    let child = root.thenOn(home) { (_: Any) async throws -> Int in
      starts.signal()
      return try await gate.value(as: Int.self)
    }
    root.fulfill(0)
    starts.wait("the handler's task")
    XCTAssertEqual(waiting(for: child) { gate.fulfill(1) }, .value(1))
    // The child of the cancelled promise waits for the task of its rejection handler. The task does not need
    // the thread that started it.
    let cancelled = Promise().cancelled()
    let asyncGate = Promise()
    let thread = OwnThread()
    let last = cancelled.catchOn(thread) { (_: any Error) async throws -> Int in
      starts.signal()
      _ = try await asyncGate.value
      throw Failure("late")
    }
    starts.wait("the second task")
    let outcome = waiting(for: last, on: thread) { asyncGate.fulfill(2) }
    guard case .failure = outcome else { return XCTFail("\(outcome)") }
    XCTAssertTrue(last.isCancelled)
  }

  // Spec: H2.10
  func testATaskThatAHandlerHasStarted() throws {
    let model = Place()
    let child = Promise.resolved(0).thenOn(.actor(model)) { _ in
      // This task inherits the handler's task-local values, but does not run on the actor.
      Promise { () async throws -> WaitOutcome in
        WaitOutcome { try blocking { try Promise.task(on: .actor(model)) { 1 }.get(timeout: patience) } }
      }
    }
    XCTAssertEqual(try child.value(), WaitOutcome.value(1))
  }

  // Spec: H2.10
  func testOneWayOutIsEnough() {
    let (open, second) = (Promise(), Promise())
    let stuck = Promise().thenOn(home) { $0 }
    XCTAssertEqual(waiting(for: Promise.race([stuck, open])) { open.fulfill(1) }, .value(1))
    XCTAssertEqual(waiting(for: Promise.any([stuck, second])) { second.fulfill(2) }, .value(2))
  }

  // Spec: H2.10
  func testATimerIsAWayOut() {
    let stuck = Promise().thenOn(home) { $0 }
    XCTAssertEqual(inside(home) { try stuck.setTimeout(0.001).get(timeout: patience) }, .timeout)
    XCTAssertEqual(
      inside(home) { [home] in
        try Promise.resolved(1).thenOn(.shared) { [home] in Promise.resolved($0, on: home) }
          .get(timeout: patience)
      }, .value(1))
  }

  // Spec: H2.10
  func testSettledOnesAndMereLooks() {
    let child = Promise.resolved(1).thenOn(home) { $0 }
    _ = child.outcome()
    XCTAssertEqual(inside(home) { try child.get() }, .value(1))
    let stuck = Promise().thenOn(home) { $0 }
    XCTAssertEqual(inside(home) { try stuck.get(timeout: 0) }, .timeout)
  }

  // Spec: H2.10
  func testAnotherThreadSettlesWhileTheWaitBegins() {
    for round in 0..<300 {
      let root = Promise()
      let end = root.then { $0 as! Int }.thenOn(.immediate) { Promise.resolved($0).then { $0 } }.then { $0 }
      let begins = Event()
      DispatchQueue.global().async {
        begins.wait("the wait")
        root.fulfill(round)
      }
      let outcome = inside(home) {
        begins.signal()
        return try end.get(timeout: patience)
      }
      XCTAssertEqual(outcome, .value(round))
    }
  }
}

private actor Place {}

/// Allows asynchronous code to block, although the blocking waits are `noasync`.
private func blocking<T>(_ body: () throws -> T) rethrows -> T { try body() }

/// A foreign context with several threads, which does not conform to `WaitAwareContext`.
private struct Pool: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }
}
