// A blocking wait that could never end fails (H2.8), on each context that the check recognizes.
// `DeadlockPathTests` tests how a promise needs such a context. `DeadlockLookAlikeTests` tests waits that
// end.

import DynamicPromise
import TestSupport
import XCTest

final class DeadlockTests: XCTestCase {
  private func queue(_ attributes: DispatchQueue.Attributes = []) -> DispatchQueue {
    DispatchQueue(label: "home", attributes: attributes)
  }

  // Spec: H2.8
  func testInAHandlerOnASerialQueue() {
    let home = queue()
    let root = Promise(on: home)
    let handler = root.then { _ in WaitOutcome { try Promise.task(on: home) { 1 }.get(timeout: patience) } }
    root.fulfill(0)
    XCTAssertEqual(try handler.value(), WaitOutcome.wouldDeadlock)
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
    assertDeadlock(Promise().thenOn(home) { _ in 1 }, in: home)
  }

  // Spec: H2.8
  func testInABlockOfTheQueue() {
    let home = queue()
    let needed = Promise.resolved(0)
    home.sync {
      let child = needed.thenOn(home) { _ in 1 }
      XCTAssertEqual(WaitOutcome { try child.get(timeout: patience) }, .wouldDeadlock)
    }
  }

  // Spec: H2.8
  func testBehindTheBarrierOfAConcurrentQueue() {
    let home = queue(.concurrent)
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
    // A block without a barrier also delays the blocks that have a barrier.
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: .reading(home))
  }

  // Spec: H2.8
  func testInAQueueThatTargetsTheQueue() {
    let home = queue()
    let above = DispatchQueue(label: "above", target: DispatchQueue(label: "between", target: home))
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: above)
    // The wait also fails after promises have used the upper queue.
    _ = Promise.resolved(0).thenOn(above) { $0 }.outcome()
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: above)
  }

  // Spec: H2.8
  func testOnTheMainThread() {
    XCTAssertTrue(Thread.isMainThread)
    let settled = Promise.resolved(0)
    let pending = Promise()
    let children = [
      settled.thenOnMain { _ in 1 }, pending.thenOnMain { _ in 1 }, settled.thenOn(.main) { _ in 1 },
      pending.thenOn(.mainImmediate) { _ in 1 },
    ]
    for child in children {
      XCTAssertEqual(WaitOutcome { try child.get(timeout: patience) }, .wouldDeadlock)
    }
    pending.fulfill(0)
    for child in children { XCTAssertEqual(try value(of: child), 1) }
  }

  // Spec: H2.8
  func testOnTheMainQueue() {
    let waited = Promise.resolved(0).thenOnMain { _ in
      let child = Promise.resolved(0).thenOnMain { _ in 1 }
      return WaitOutcome { try child.get(timeout: patience) }
    }
    XCTAssertEqual(try value(of: waited), WaitOutcome.wouldDeadlock)
  }

  private actor Place {}

  // Spec: H2.8
  func testOnAnActor() {
    let model = Place()
    assertDeadlock(Promise.resolved(0).thenOn(.actor(model)) { _ in 1 }, in: .actor(model))
    assertDeadlock(Promise.resolved(0).thenOn(model) { _, _ in 1 }, in: .actor(model))
  }

  // Spec: H2.8
  func testOnAnExecutor() {
    for context: ExecutorContext in [.executor(QueueExecutor()), .executor(PoolExecutor())] {
      assertDeadlock(Promise.resolved(0).thenOn(context) { _ in 1 }, in: context)
    }
  }

  // Spec: H2.8, X3.20
  func testOnAContextThatSaysSo() {
    let home = OwnThread()
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
  }

  // Spec: H2.8
  func testInsideOfItself() {
    let contexts: [any ExecutionContext] = [
      DefaultContext.shared, ImmediateContext.immediate, queue(), queue(.concurrent), DispatchQueue.global(),
      ReadingContext(queue(.concurrent)),
    ]
    for context in contexts {
      let (root, needed, log) = (Promise(on: context), Log<Promise>(), Log<WaitOutcome>())
      let child = root.then { _ in
        for promise in needed.all { log.append(WaitOutcome { try promise.get(timeout: patience) }) }
      }
      needed.append(child)
      needed.append(child.thenOn(.shared) { _ in 1 }.thenOn(.immediate) { _ in 1 })
      root.fulfill(0)
      _ = child.outcome()
      XCTAssertEqual(log.all, [.wouldDeadlock, .wouldDeadlock], "\(context)")
    }
  }
}
