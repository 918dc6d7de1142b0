// Tests of the private default context (X1) with many jobs. Handlers share workers, but do not wait for a
// handler that blocks.

import Dispatch
import DynamicPromise
import XCTest

final class WorkerPoolTests: XCTestCase {
  /// Stops at the first failure, because a lost handler makes every later round fail too.
  override func setUp() { continueAfterFailure = false }

  // Spec: X1.3
  func testBlockingHandlerAnywhereInABacklogBlocksNoOther() {
    // Some positions are behind more jobs than one worker runs in a row. The last handler may run directly on
    // the worker that settles its parent.
    for position in [0, 1, 63, 64, 500, 998, 999] {
      for below in [false, true] {
        let (blocker, others) = (Blocker(), DispatchGroup())
        let root = Promise()
        let promise = below ? root.then { $0 } : root
        for number in 0..<1000 {
          if number == position {
            promise.then { _ in blocker.block() }
          } else {
            others.enter()
            promise.then { _ in others.leave() }
          }
        }
        root.fulfill(0)
        blocker.waitUntilBlocked()
        XCTAssertEqual(others.wait(timeout: .now() + patience), .success, "\(position)")
        for _ in 0..<500 {
          others.enter()
          promise.then { _ in others.leave() }
        }
        XCTAssertEqual(others.wait(timeout: .now() + patience), .success, "later handlers, \(position)")
        blocker.free()
      }
    }
  }

  // Spec: X1.2, X1.3
  func testBlockingHandlerDoesNotHoldUpABacklogOfOtherTrees() {
    let (blocker, others) = (Blocker(), DispatchGroup())
    let roots = (0..<1000).map { _ in Promise() }
    roots[10].then { _ in blocker.block() }
    for root in roots[..<10] + roots[11...] {
      for _ in 0..<2 {
        others.enter()
        root.then { _ in others.leave() }.then { _ in }
      }
    }
    for root in roots { root.fulfill(0) }
    blocker.waitUntilBlocked()
    XCTAssertEqual(others.wait(timeout: .now() + patience), .success)
    // Handlers that are scheduled later also run while the blocker blocks.
    for _ in 0..<1000 { XCTAssertNoThrow(try Promise.resolved(1).then { $0 }.value() as Int) }
    blocker.free()
  }

  // Spec: X1.1, X1.2
  func testAHandlerElsewhereBlocksNoOtherOnThisContext() throws {
    let shapes: [@Sendable (Promise) -> Promise] = [
      { $0.follower(on: .shared) }, { Promise.all([$0]) }, { Promise.race([$0]) }, { $0.catch { _ in 0 } },
    ]
    for shape in shapes {
      for context in [AtOnce(), ImmediateContext()] as [any ExecutionContext] {
        let (gate, other) = (Event(), Event())
        let promise = Promise.task { gate.wait("gate") }
        let blocking = shape(promise).thenOn(context) { _ in other.wait("the other handler") }
        promise.then { _ in other.signal() }
        gate.signal()
        _ = try blocking.outcome().get()
      }
    }
  }

  /// The worker would continue with the follower's handler, but a handler in place runs first and blocks.
  // Spec: X1.1
  func testAHandlerInPlaceThatWaitsForTheOneThatTheWorkerContinuesWith() {
    let (root, ran) = (Promise(), Event())
    let first = root.then { $0 }
    let second = first.follower(on: .shared).then { _ in ran.signal() }
    let inPlace = first.thenOn(.immediate) { _ in ran.wait("the handler for the default context") }
    root.fulfill(1)
    _ = inPlace.outcome()
    _ = second.outcome()
  }

  // Spec: X1.1
  func testACancellationHandlerBlocksNoOther() throws {
    let (gate, other, cancelled) = (Event(), Event(), Event())
    let (loser, resolver) = Promise.pending()
    resolver.onCancel { _ in
      other.wait("the handler on the private context")
      cancelled.signal()
    }
    let promise = Promise.task { gate.wait("gate") }
    Promise.race([promise, loser], cancellingInputs: true).then { _ in }
    promise.then { _ in other.signal() }
    gate.signal()
    cancelled.wait("the end of the cancellation handler")
  }

  // Spec: X1.9
  func testAHandlerThatAWorkerIsAboutToContinueWithRunsBehindOthers() {
    for first in 1...2 {
      for second in 1...3 {
        let (ran, source) = (DispatchGroup(), Promise())
        // This promise and its followers settle on a worker, which may continue with the first follower's
        // handler.
        let settled = source.then { _ in 7 }
        for count in [first, second] {
          let follower = settled.follower(on: .shared)
          for _ in 0..<count {
            ran.enter()
            follower.then { _ in ran.leave() }
          }
        }
        source.fulfill(0)
        XCTAssertEqual(ran.wait(timeout: .now() + patience), .success, "\(first), \(second)")
      }
    }
  }

  // Spec: X1.9
  func testAJobThatComesWhenAWorkerRunsOutOfThemIsRun() throws {
    // Each round schedules one job, while the previous worker still polls for jobs, is about to end, or has
    // ended.
    for round in 0..<20_000 {
      let (promise, ran) = (Promise(), Event())
      promise.then { _ in ran.signal() }
      for _ in 0..<(round % 64) * 16 { withExtendedLifetime(promise) {} }
      promise.fulfill(0)
      ran.wait("handler")
    }
  }

  // Spec: X1.9
  func testManyThreadsScheduleAtOnce() throws {
    let (total, done) = (Counter(), DispatchGroup())
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for size in [1, 2, 63, 64, 65, 3000] {
        let promise = Promise()
        for _ in 0..<size {
          done.enter()
          promise.then { _ in total.increment() }.finally { done.leave() }
        }
        promise.fulfill(0)
      }
    }
    XCTAssertEqual(done.wait(timeout: .now() + patience), .success)
    XCTAssertEqual(total.value, 4 * (1 + 2 + 63 + 64 + 65 + 3000))
  }

  // Spec: X1.9, C9.2, C9.3
  func testAHandlerCancelledInTheBacklogIsWithdrawnAtOnce() {
    for _ in 0..<20 {
      let promise = Promise()
      let victims = (0..<300).map { _ in
        let (freed, ended) = (Counter(), Event())
        let child = promise.then { [canary = Canary { freed.increment() }] _ in use(canary, ended.signal()) }
        return (child: child, freed: freed, ended: ended)
      }
      promise.fulfill(0)
      for victim in victims.reversed() {
        victim.child.cancel()
        // If the captures are not freed, a worker has already started the handler.
        if victim.freed.value == 0 { victim.ended.wait("a handler that had started") }
      }
    }
  }
}

/// Blocks a handler until the test calls `free`.
final class Blocker: Sendable {
  private let (gate, blocked) = (Event(), Event())

  func block() {
    blocked.signal()
    gate.wait("gate")
  }

  func waitUntilBlocked() { blocked.wait("blocking handler") }
  func free() { gate.signal() }
}
