// A child that is settled by hand before its handler has run: the handler is no consumer, and a cancel from
// above passes through the child, whichever came first.

import DynamicPromise
import XCTest

final class SettledByHandTests: XCTestCase {
  // Spec: C4.13
  func testADisplacedHandlerIsNoConsumer() {
    for makeChild in [{ $0.catch { _ in } }, { $0.then { $0 } }, { $0.finally {} }] as [(Promise) -> Promise]
    {
      let promise = Promise(on: .immediate)
      let child = makeChild(promise)
      let wanting = child.then { $0 }
      child.fulfill(1)
      let follower = Promise(on: .immediate)
      follower.bind(promise)
      follower.cancel()
      XCTAssertTrue(promise.isCancelled)
      XCTAssertTrue(wanting.isFulfilled)
    }
  }

  // Spec: C4.13
  func testNorIfItFollowsAnotherPromise() {
    let promise = Promise(on: .immediate)
    let child = promise.catch { _ in }
    let wanting = child.then { $0 }
    child.bind(Promise(on: .immediate))
    let follower = Promise(on: .immediate)
    follower.bind(promise)
    follower.cancel()
    XCTAssertTrue(promise.isCancelled)
    withExtendedLifetime(wanting) {}
  }

  // Spec: C3.8
  func testAHandlerThatAWithdrawalHasScheduledStillHearsTheReason() {
    let context = SteppedContext()
    let promise = Promise()
    let heard = Log<String>()
    let child = promise.catchOn(context) { heard.append(($0 as? Failure)?.name ?? "another error") }
    let other = promise.then { $0 }
    child.withdraw(Failure("unwanted"))
    XCTAssertEqual(context.pendingJobs, 1)
    child.fulfill(1)
    context.drain()
    XCTAssertEqual(heard.all, ["unwanted"])
    XCTAssertTrue(other.isPending)
  }

  // Spec: C4.21
  func testTheLastConsumerThatIsSettledByHandLeaves() {
    let promise = Promise(on: .immediate).cancelsWhenUnwanted()
    let child = promise.then { $0 }
    child.fulfill(1)
    XCTAssertTrue(promise.isCancelled)
  }

  /// Whether the clean-up waits for its parent, has been scheduled or runs: what is below the child is
  /// cancelled.
  // Spec: C3.8
  func testACancelPassesThroughAChildThatIsSettledByHand() {
    for isCancelledFirst in [true, false] {
      let context = SteppedContext()
      let root = Promise(on: .immediate)
      let cleanUp = root.catchOn(context) { _ in }
      let below = cleanUp.thenOn(context) { $0 }
      let ran = Counter()
      below.finally { ran.increment() }
      if isCancelledFirst { root.cancel() }
      cleanUp.fulfill(1)
      if !isCancelledFirst { root.cancel() }
      XCTAssertTrue(cleanUp.isFulfilled)
      XCTAssertTrue(below.isCancelled, "cancelled first: \(isCancelledFirst)")
      context.drain()
      XCTAssertEqual(ran.value, 1)
    }
  }

  // Spec: C3.8
  func testAlsoIfItIsSettledInsideItsOwnHandler() {
    let root = Promise(on: .immediate)
    let children = Log<Promise>()
    let cleanUp = root.catch { _ in children.all[0].fulfill(1) }
    children.append(cleanUp)
    let context = SteppedContext()
    let below = cleanUp.thenOn(context) { $0 }
    root.cancel()
    XCTAssertTrue(cleanUp.isFulfilled)
    XCTAssertTrue(below.isCancelled)
  }

  /// With an outcome that is known at once: that of a settled promise, or a cycle.
  // Spec: C3.8
  func testAlsoIfItIsBoundToASettledPromiseOrToItself() {
    let targets: [@Sendable (Promise) -> Promise] = [{ _ in Promise.resolved(1) }, { $0 }]
    for target in targets {
      for isInside in [false, true] {
        let context = SteppedContext()
        let root = Promise(on: .immediate)
        let children = Log<Promise>()
        let cleanUp =
          isInside
          ? root.catch { _ in children.all[0].bind(target(children.all[0])) }
          : root.catchOn(context) { _ in }
        children.append(cleanUp)
        let below = cleanUp.thenOn(context, { $0 }, { _ in Promise() })
        root.cancel()
        if !isInside { cleanUp.bind(target(cleanUp)) }
        context.drain()
        XCTAssertTrue(cleanUp.isSettled)
        XCTAssertFalse(cleanUp.isCancelled)
        XCTAssertTrue(below.isCancelled, "inside its handler: \(isInside)")
      }
    }
  }

  // Spec: C3.8
  func testOneThatFollowsAnotherIsCancelled() {
    for isCancelledFirst in [true, false] {
      let context = SteppedContext()
      let root = Promise(on: .immediate)
      let cleanUp = root.catchOn(context) { _ in }
      let other = Promise(on: .immediate)
      if isCancelledFirst { root.cancel() }
      cleanUp.bind(other)
      if !isCancelledFirst { root.cancel() }
      XCTAssertTrue(cleanUp.isCancelled, "cancelled first: \(isCancelledFirst)")
      XCTAssertTrue(other.isCancelled, "cancelled first: \(isCancelledFirst)")
    }
  }

  /// A withdrawal begins at the child, whose handler runs because of it.
  // Spec: C3.8
  func testAWithdrawalPassesThroughAsWell() {
    for isPending in [false, true] {
      let context = SteppedContext()
      let root = Promise(on: context)
      root.reject(Failure())
      let cleanUp = root.catch { _ in }
      let below = cleanUp.thenOn(context) { $0 }
      let follower = Promise(on: .immediate)
      follower.bind(below)
      follower.cancel()
      XCTAssertTrue(cleanUp.isPending, "its clean-up is scheduled")
      if isPending { cleanUp.bind(Promise(on: .immediate)) } else { cleanUp.fulfill(1) }
      XCTAssertEqual(cleanUp.isCancelled, isPending)
      context.drain()
      XCTAssertTrue(below.isCancelled)
    }
  }

  // Spec: C4.18
  func testWhatTheFinallyOfAFulfilledChainReturnedIsOnlyWaitedFor() {
    for isLate in [true, false] {
      let returned = Promise(on: .immediate)
      if !isLate { returned.cancel() }
      let root = Promise(on: .immediate)
      let child = root.finally { returned }
      let recovered = child.catch { _ in "recovered" }
      root.fulfill(1)
      if isLate { returned.cancel() }
      XCTAssertTrue(child.isRejected)
      XCTAssertTrue(recovered.isFulfilled, "the child is rejected like any other, not cancelled by request")
    }
  }

  /// The handler that a child settled by hand has left is withdrawn like any other.
  // Spec: C9.5
  func testACancelFromAboveWithdrawsTheHandlerThatItHasLeft() {
    for cancels in [true, false] {
      let context = SteppedContext()
      let root = Promise(on: .immediate)
      let ran = Counter()
      let child = root.thenOn(context) { _ in ran.increment() }
      root.fulfill(1)
      child.fulfill(2)
      if cancels { root.cancel() }
      context.drain()
      XCTAssertTrue(child.isFulfilled)
      XCTAssertEqual(ran.value, cancels ? 0 : 1)
    }
  }
}
