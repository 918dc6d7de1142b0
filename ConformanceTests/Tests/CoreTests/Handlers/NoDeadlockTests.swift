// A wait that can end does not throw `wouldDeadlock` (H2.10).

import DynamicPromise
import XCTest

/// Allows asynchronous code to block, although the blocking waits are `noasync`.
private func blocking<T>(_ body: () throws -> T) rethrows -> T { try body() }

/// A foreign context with several threads, which does not conform to `WaitAwareContext`.
private struct Pool: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }
}

final class NoDeadlockTests: XCTestCase {
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
  func testAWaitForHandlersOnOtherContextsEnds() {
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

  // Spec: H2.10
  func testAWaitForAPromiseThatOtherCodeSettlesEnds() {
    let root = Promise(on: home)
    XCTAssertEqual(waiting(for: root) { root.fulfill(1) }, .value(1))
    let follower = Promise(on: home)
    let other = Promise(on: home)
    follower.bind(other)
    XCTAssertEqual(waiting(for: follower.thenOn(.shared) { $0 }) { other.fulfill(2) }, .value(2))
  }

  // Spec: H2.10
  func testAWaitInAHandlerOnAConcurrentContextEnds() {
    let pool = DispatchQueue(label: "pool", attributes: .concurrent)
    for context: any ExecutionContext in [
      .reading(pool), DispatchQueue.global(), .shared, Pool(),
    ] { XCTAssertEqual(waitingForItself(context), .value(1), "\(context)") }
  }

  private func waitingForItself(_ context: some ExecutionContext) -> WaitOutcome {
    inside(context) { try Promise.resolved(1).thenOn(context) { $0 }.then { $0 }.get(timeout: patience) }
  }

  // Spec: H2.10
  func testAWaitForARunningHandlerEnds() {
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
  func testAWaitForARunningTaskEnds() throws {
    let (gate, starts, root) = (Promise(), Event(), Promise())
    let child = root.thenOn(home) { (_: Any) async throws -> Int in
      starts.signal()
      return try await gate.value(as: Int.self)
    }
    root.fulfill(0)
    starts.wait("the handler's task")
    XCTAssertEqual(waiting(for: child) { gate.fulfill(1) }, .value(1))
  }

  /// None of these promises needs a handler on `home`: the clean-up on another queue ends each wait.
  // Spec: H2.10, C2.6
  func testAWaitBelowACleanUpElsewhereEnds() {
    let (other, root, source) = (DispatchQueue(label: "other"), Promise(), Promise().thenOn(home) { $0 })
    other.suspend()
    defer { other.resume() }
    let cleanUp = { (promise: Promise) in promise.catchOn(other) { _ in } }
    let (below, kept) = (cleanUp(root).then { $0 }.thenOn(home) { $0 }, source.then { $0 })
    root.cancel()
    let unwanted = cleanUp(source)
    let givenUp = [unwanted, cleanUp(source).then { $0 }, cleanUp(Promise()).thenOn(home) { $0 }]
    for promise in givenUp { promise.withdraw() }
    // The check is repeated while the thread waits.
    for promise in [below, unwanted.finished()] + givenUp {
      XCTAssertEqual(inside(home) { try promise.get(timeout: 0.03) }, .timeout)
    }
    XCTAssertTrue(kept.isPending)
  }

  /// A context all of whose threads count as blocked.
  private struct Busy: WaitAwareContext {
    var isBlockedByCaller: Bool { true }
    func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }
  }

  // Spec: H2.10
  func testAWaitForTheRunningBodyOfAFinallyEnds() {
    let (runs, goesOn) = (Event(), Event())
    let child = Promise().finallyOn(Busy()) {
      runs.signal()
      goesOn.wait()
    }
    child.cancel()
    runs.wait("the body")
    XCTAssertEqual(WaitOutcome { try child.finished().get(timeout: 0.001) }, .timeout)
    goesOn.signal()
  }

  // Spec: H2.10
  func testAWaitForOneOfSeveralInputsEnds() {
    let (open, second) = (Promise(), Promise())
    let stuck = Promise().thenOn(home) { $0 }
    XCTAssertEqual(waiting(for: Promise.race([stuck, open])) { open.fulfill(1) }, .value(1))
    XCTAssertEqual(waiting(for: Promise.any([stuck, second])) { second.fulfill(2) }, .value(2))
  }

  // Spec: H2.10
  func testAWaitThatATimerEndsIsNoDeadlock() {
    let stuck = Promise().thenOn(home) { $0 }
    XCTAssertEqual(inside(home) { try stuck.setTimeout(0.001).get(timeout: patience) }, .timeout)
    XCTAssertEqual(
      inside(home) { [home] in
        try Promise.resolved(1).thenOn(.shared) { [home] in Promise.resolved($0, on: home) }
          .get(timeout: patience)
      }, .value(1))
  }
}
