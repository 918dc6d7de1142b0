// A wait that could never end throws `wouldDeadlock` (H2.8, H2.9).

import DynamicPromise
import TestSupport
import XCTest

private let home = DispatchQueue(label: "home")

final class DeadlockTests: XCTestCase {
  private func queue(_ attributes: DispatchQueue.Attributes = []) -> DispatchQueue {
    DispatchQueue(label: "home", attributes: attributes)
  }

  // Spec: H2.8
  func testAWaitInAHandlerOfTheSerialQueueThrows() {
    let home = queue()
    let root = Promise(on: home)
    let handler = root.then { _ in WaitOutcome { try Promise.task(on: home) { 1 }.get(timeout: patience) } }
    root.fulfill(0)
    XCTAssertEqual(try handler.value(), WaitOutcome.wouldDeadlock)
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
    assertDeadlock(Promise().thenOn(home) { _ in 1 }, in: home)
  }

  // Spec: H2.8
  func testAWaitBehindTheBarrierOfTheConcurrentQueueThrows() {
    let home = queue(.concurrent)
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
    // A block without a barrier also delays the blocks that have a barrier.
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: .reading(home))
  }

  // Spec: H2.8
  func testAWaitInAQueueThatTargetsTheQueueThrows() {
    let home = queue()
    let above = DispatchQueue(label: "above", target: DispatchQueue(label: "between", target: home))
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: above)
    // The wait also fails after promises have used the upper queue.
    _ = Promise.resolved(0).thenOn(above) { $0 }.outcome()
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: above)
  }

  // Spec: H2.8
  func testAWaitOnTheMainThreadThrows() {
    XCTAssertTrue(Thread.isMainThread)
    let settled = Promise.resolved(0)
    let pending = Promise()
    let children = [
      settled.thenOnMain { _ in 1 }, pending.thenOnMain { _ in 1 }, settled.thenOn(.main) { _ in 1 },
      pending.thenOn(.mainImmediate) { _ in 1 },
    ]
    for child in children { XCTAssertEqual(WaitOutcome { try child.get(timeout: patience) }, .wouldDeadlock) }
    pending.fulfill(0)
    for child in children { XCTAssertEqual(try value(of: child), 1) }
  }

  private actor Place {}

  // Spec: H2.8
  func testAWaitOnTheActorThrows() {
    let model = Place()
    assertDeadlock(Promise.resolved(0).thenOn(.actor(model)) { _ in 1 }, in: .actor(model))
    assertDeadlock(Promise.resolved(0).thenOn(model) { _, _ in 1 }, in: .actor(model))
  }

  // Spec: H2.8
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func testAWaitOnTheExecutorThrows() {
    for context: ExecutorContext in [.executor(QueueExecutor()), .executor(PoolExecutor())] {
      assertDeadlock(Promise.resolved(0).thenOn(context) { _ in 1 }, in: context)
    }
  }

  // Spec: H2.8, X3.20
  func testAWaitOnAContextThatReportsItsThreadThrows() {
    let home = OwnThread()
    assertDeadlock(Promise.resolved(0).thenOn(home) { _ in 1 }, in: home)
  }

  // Spec: H2.8
  func testAHandlerThatWaitsForItsOwnChildThrows() {
    let contexts: [any ExecutionContext] = [
      DefaultContext.shared, ImmediateContext.immediate, queue(), queue(.concurrent), DispatchQueue.global(),
      .reading(queue(.concurrent)),
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

  // Spec: H2.8
  func testTheCheckLooksThroughAncestors() {
    assertDeadlock(
      Promise().thenOn(home) { _ in 1 }.then { $0 }.catch { $0 }.finally {}.thenOn(.immediate) { $0 },
      in: home)
    // The check of a long chain does not recurse.
    onSmallStack {
      let end = (0..<20_000).reduce(Promise().thenOn(home) { _ in 1 }) { promise, _ in promise.then { $0 } }
      XCTAssertEqual(home.sync { WaitOutcome { try end.get(timeout: patience) } }, .wouldDeadlock)
    }
  }

  // Spec: H2.8
  func testTheCheckLooksThroughFollowedPromises() {
    assertDeadlock(Promise.resolved(Promise().thenOn(home) { _ in 1 }), in: home)
    let adopter = Promise()
    adopter.bind(Promise.resolved(Promise.resolved(0).then { _ in Promise().thenOn(home) { _ in 1 } }))
    let child = adopter.then { $0 }
    let outcome = inside(home) { try child.get(timeout: patience) }
    XCTAssertEqual(outcome, .wouldDeadlock)
  }

  // Spec: H2.8
  func testTheCheckLooksThroughCombinators() {
    @Sendable func needed() -> Promise { Promise().thenOn(home) { _ in 1 } }
    assertDeadlock(Promise.all([Promise.resolved(0), Promise(), needed()]), in: home)
    assertDeadlock(Promise.allSettled([Promise.all([Promise(), needed()]).then { $0 }]), in: home)
    assertDeadlock(Promise.any([Promise.rejected(Failure()), needed()]), in: home)
    assertDeadlock(Promise.race([needed()]), in: home)
    assertDeadlock(Promise.sequence([1, 2], on: home) { $0 }, in: home)
    assertDeadlock(Promise.repeat(on: home) { nil }, in: home)
    assertDeadlock(Promise.sequence([needed()], on: .shared) { $0 }, in: home)
    assertDeadlock(needed().finished(), in: home)
  }

  // Spec: H2.9
  func testTheCheckIsRepeatedWhenThePromiseFollowsAnother() {
    let (lookout, goesOn) = (Lookout(), Promise())
    let child = goesOn.then { _ in Promise.resolved(0).thenOn(home) { _ in 1 } }.thenOn(lookout) { $0 }
    lookout.whenBlocked { goesOn.fulfill(0) }
    XCTAssertEqual(inside(home) { try child.get(timeout: patience) }, .wouldDeadlock)
    XCTAssertEqual(try child.value(), 1)
  }

  // Spec: H2.8
  func testAWaitForAMemberOfABagOrForCleanUpThrows() {
    let bag = CancelBag()
    assertDeadlock(Promise.task(on: home) { 1 }.cancelled(with: bag), in: home)
    @Sendable func cancelled() -> Promise {
      let child = Promise().finallyOn(home) {}
      child.cancel()
      return child.finished()
    }
    assertDeadlock(cancelled(), in: home)
    @Sendable func givenUp() -> Promise {
      let child = Promise().catchOn(home) { _ in }.then { _ in }
      child.withdraw()
      return child
    }
    assertDeadlock(givenUp(), in: home)
    let source = Promise()
    let kept = source.then { $0 }
    @Sendable func unwanted() -> Promise {
      let child = source.catchOn(home) { _ in }
      child.withdraw()
      return child
    }
    assertDeadlock(unwanted(), in: home)
    XCTAssertTrue(kept.isPending)
  }

  // Spec: H2.10
  func testAWaitForAPromiseThatIsAboutToBeCancelledMayGoOn() {
    let (source, follower, entered, checked) = (Promise(), Promise(), Event(), Event())
    follower.bind(source.thenOn(home) { _ in 1 })
    do {
      // Its `deinit` runs when the follower has left, and before the target is given up.
      let canary = Canary {
        entered.signal()
        checked.wait("the check")
      }
      follower.onSuccess { _ in _ = canary }
    }
    Thread.detachNewThread { follower.cancel() }
    entered.wait("the cancel")
    XCTAssertEqual(inside(home) { try follower.finished().get(timeout: 0.001) }, .timeout)
    checked.signal()
  }

  // Spec: H2.8
  func testThePromiseContinuesAfterTheError() {
    let other = Promise.resolved(0).thenOn(home) { _ -> Promise in
      let inner = Promise.resolved(0).thenOn(home) { _ in 2 }
      XCTAssertFalse(inner.wait())
      XCTAssertEqual(WaitOutcome { try inner.get() }, .wouldDeadlock)
      XCTAssertTrue(inner.isPending)
      return inner
    }
    XCTAssertEqual(try other.value(), 2)
  }
}
