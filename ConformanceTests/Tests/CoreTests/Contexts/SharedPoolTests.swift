// The default context runs handlers in parallel; a handler that blocks does not delay others (X1.1 to
// X1.3, X1.9).

import Dispatch
import DynamicPromise
import XCTest

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

final class SharedPoolTests: XCTestCase {
  // Spec: X1.1, R5.1
  func testABlockedHandlerDoesNotDelayItsSibling() {
    for blocksFirst in [true, false] {
      let (promise, blocker, ran) = (Promise(), Blocker(), Event())
      if blocksFirst { promise.then { _ in blocker.block() } }
      promise.then { _ in ran.signal() }
      if !blocksFirst { promise.then { _ in blocker.block() } }
      promise.fulfill(1)
      blocker.waitUntilBlocked()
      ran.wait("sibling")
      blocker.free()
    }
  }

  // Spec: X1.2, R5.1
  func testABlockedHandlerDoesNotDelayAnotherTree() throws {
    let (blocker, other) = (Blocker(), Promise())
    let end = other.then { $0 as! Int + 1 }.then { $0 as! Int + 1 }
    let blocking = Promise.resolved(0).then { _ in
      other.fulfill(0)
      blocker.block()
    }
    blocker.waitUntilBlocked()
    XCTAssertEqual(try end.value(), 2)
    XCTAssertTrue(blocking.isPending)
    blocker.free()
    _ = blocking.outcome()
  }

  /// Stops at the first failure, because a lost handler makes every later round fail too.
  override func setUp() { continueAfterFailure = false }

  // Spec: X1.3
  func testABlockedHandlerAnywhereInABacklogDelaysNoOther() {
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

  // Spec: X1.1
  func testABlockedHookDoesNotDelayTheNextHandlerOfItsChain() {
    let (root, blocker, ran) = (Promise(), Blocker(), Event())
    let first = root.then { $0 }
    first.whenFinished { blocker.block() }
    let next = first.then { _ in ran.signal() }
    root.fulfill(1)
    blocker.waitUntilBlocked()
    ran.wait("the next handler")
    blocker.free()
    XCTAssertTrue(next.wait())
  }
}
