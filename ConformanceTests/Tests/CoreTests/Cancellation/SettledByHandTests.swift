// The handler of a child is no consumer if the child is settled by hand before the handler runs. Cancelling
// the parent also cancels the promises below the child, before or after the child is settled.

import DynamicPromise
import XCTest

final class SettledByHandTests: XCTestCase {
  // Spec: C4.13
  func testADisplacedHandlerIsNoConsumer() {
    let makers: [(Promise) -> Promise] = [{ $0.catch { _ in } }, { $0.then { $0 } }, { $0.finally {} }]
    for makeChild in makers {
      for isBound in [false, true] {
        let promise = Promise(on: .immediate)
        let child = makeChild(promise)
        let wanting = child.then { $0 }
        if isBound { child.bind(Promise(on: .immediate)) } else { child.fulfill(1) }
        promise.follower().cancel()
        XCTAssertTrue(promise.isCancelled, "bound: \(isBound)")
        XCTAssertEqual(wanting.isFulfilled, !isBound)
      }
    }
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

  /// The child `cleanUp` is fulfilled, or bound to the pending promise `other`, before or after the root is
  /// cancelled. The promise below the child is cancelled in each case.
  // Spec: C3.8
  func testACancelPassesThroughAChildThatIsSettledByHand() {
    for isBound in [false, true] {
      for isCancelledFirst in [true, false] {
        let name = "bound: \(isBound), cancelled first: \(isCancelledFirst)"
        let context = SteppedContext()
        let (root, other) = (Promise(on: .immediate), Promise(on: .immediate))
        let cleanUp = root.catchOn(context) { _ in }
        let below = cleanUp.thenOn(context) { $0 }
        let ran = Counter()
        below.finally { ran.increment() }
        if isCancelledFirst { root.cancel() }
        if isBound { cleanUp.bind(other) } else { cleanUp.fulfill(1) }
        if !isCancelledFirst { root.cancel() }
        XCTAssertEqual(cleanUp.isFulfilled, !isBound, name)
        XCTAssertEqual([cleanUp, other, below].map(\.isCancelled), [isBound, isBound, true], name)
        context.drain()
        XCTAssertEqual(ran.value, 1, name)
      }
    }
  }

  /// The child is settled with a value, with a settled promise, or with itself.
  // Spec: C3.8
  func testAlsoIfItIsSettledInsideItsOwnHandler() {
    let settle: [(String, @Sendable (Promise) -> Void)] = [
      ("fulfilled", { $0.fulfill(1) }), ("bound", { $0.bind(.resolved(1)) }), ("a cycle", { $0.bind($0) }),
    ]
    for (name, settle) in settle {
      for isInside in [false, true] {
        let context = SteppedContext()
        let root = Promise(on: .immediate)
        let children = Log<Promise>()
        let cleanUp = isInside ? root.catch { _ in settle(children.all[0]) } : root.catchOn(context) { _ in }
        children.append(cleanUp)
        let below = cleanUp.thenOn(context, { $0 }, { _ in Promise() })
        root.cancel()
        if !isInside { settle(cleanUp) }
        context.drain()
        XCTAssertTrue(cleanUp.isSettled && !cleanUp.isCancelled, name)
        XCTAssertTrue(below.isCancelled, "\(name), inside its handler: \(isInside)")
      }
    }
  }

  /// The withdrawal starts at the child, and the child's scheduled handler runs as clean-up.
  // Spec: C3.8
  func testAWithdrawalPassesThroughAsWell() {
    for isPending in [false, true] {
      let context = SteppedContext()
      let root = Promise(on: context)
      root.reject(Failure())
      let cleanUp = root.catch { _ in }
      let below = cleanUp.thenOn(context) { $0 }
      below.follower().cancel()
      XCTAssertTrue(cleanUp.isPending, "the clean-up has not run")
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
      XCTAssertTrue(recovered.isFulfilled, "the child is rejected, not cancelled by request")
    }
  }

  /// The handler of a child that was settled by hand is withdrawn like any other handler.
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
