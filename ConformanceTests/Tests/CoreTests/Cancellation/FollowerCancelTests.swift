// A cancelled follower withdraws from the promise that it follows, and the other way round (C4.1 to
// C4.10).

import Dispatch
import DynamicPromise
import TestSupport
import XCTest

final class FollowerCancelTests: XCTestCase {
  // Spec: C1.6, A2.12
  func testAPromiseThatFollowsAPendingPromiseCanBeCancelled() throws {
    let (failure, other, functions) = (Failure(), Promise(), Log<DeferredThenable.Functions>())
    let (follower, waiting) = (other.follower(), Promise.resolved(DeferredThenable(functions)))
    follower.fulfill("ignored: the first resolution counts")
    XCTAssertTrue(follower.isPending && waiting.isPending)
    follower.cancel(failure)
    waiting.cancel(failure)
    other.fulfill("late")
    functions.all[0].resolve("late")
    assertCancelled([follower, waiting], failure)
  }

  // Spec: C4.1, C4.2, C4.3, C4.10, C4.14
  func testEachKindOfFollowerWithdrawsWhenItIsCancelled() throws {
    let context = SteppedContext()
    let ways: [(String, @Sendable (Promise) -> Promise)] = [
      ("bind", { other in other.follower() }),
      ("resolve", { other in Promise().decided(with: other) }),
      ("a resolver", { other in Promise { $0.resolve(other) } }),
      ("resolved", { other in Promise.resolved(other) }),
      ("a returned promise", { other in context.settled(1).then { _ in other } }),
      ("a returned optional", { other in context.settled(1).then { _ -> Promise? in other } }),
      ("a returned Any", { other in context.settled(1).then { _ -> Any in other } }),
      ("a rejection handler", { other in context.broken().catch { _ in other } }),
      ("a thenable", { other in Promise.resolved(ThenableOf(other)) }),
    ]
    for (name, adopt) in ways {
      // One adopter follows a single promise. The other adopter follows the end of a chain.
      let heard = Log<any Error>()
      let other = Promise(onCancel: { heard.append($0) })
      let beside = other.catch { _ in 1 }
      let chain = Chain(context)
      let (failure, adopters) = (Failure(), [adopt(other), adopt(chain.end)])
      let below = adopters.map { $0.then { $0 } }
      context.drain()
      chain.assertPending(name)
      for promise in adopters + below { XCTAssertTrue(promise.isPending, name) }
      for adopter in adopters { adopter.cancel(failure) }
      assertCancelled(adopters + below + [other], failure, name)
      XCTAssertTrue(try beside.reason() as? Failure === failure, name)
      XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure], name)
      chain.assertCancelled(failure, name)
    }
  }

  // Spec: C4.4, C4.5, C6.7, R1.5, R4.6
  func testAFollowerIsCancelledWithThePromiseThatItFollows() throws {
    let failure = Failure()
    for isEarlier in [false, true] {
      for isByHandler in [false, true] {
        let name = "cancelled earlier: \(isEarlier), by a handler: \(isByHandler)"
        let context = SteppedContext()
        let other = Promise()
        if isEarlier { other.cancel(failure) }
        let adopter = isByHandler ? context.settled(1).then { _ in other } : other.follower(on: context)
        let heard = Log<any Error>()
        let beside = Promise(onCancel: { heard.append($0) })
        beside.bind(other)
        let recovered = adopter.catch { _ in "recovered" }
        let after = recovered.then { _ in "after" }
        context.drain()
        if !isEarlier { other.cancel(failure) }
        assertCancelled([adopter, beside], failure, name)
        XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure], name)
        context.drain()
        assertCancelled([recovered, after], failure, "below a cancelled follower, \(name)")

        let late = adopter.catch { _ in "recovered" }
        context.drain()
        assertCancelled([late], failure, "late, \(name)")
      }
    }
  }

  // Spec: C4.6
  func testACancelPropagatesThroughAChainOfFollowers() throws {
    // The promises are bound in four orders, and the cancel starts at each promise in turn.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      for start in 0...4 {
        let failure = Failure()
        let promises = (0...4).map { _ in Promise() }
        let tails = promises.map { promise in promise.catch { _ in 1 } }
        for index in order { promises[index].bind(promises[index + 1]) }
        promises[start].cancel(failure)
        for tail in tails { _ = tail.outcome() }
        assertCancelled(promises + tails, failure, "\(order) from \(start)")
      }
    }
  }

  // Spec: C4.7
  func testAnotherFollowerKeepsTheFollowedPromise() throws {
    for number in [2, 20] {
      for adoptsAnother in [false, true] {
        let (failure, shared, further) = (Failure(), Promise(), Promise())
        let adopters = (0..<number).map { _ in shared.follower() }
        if adoptsAnother { shared.bind(further) }
        for (left, adopter) in adopters.enumerated() {
          XCTAssertTrue(shared.isPending && further.isPending, "\(number - left) followers are left")
          XCTAssertTrue(adopter.isPending)
          adopter.cancel(failure)
          XCTAssertTrue(adopter.isCancelled)
        }
        assertCancelled([shared] + (adoptsAnother ? [further] : []), failure)
      }
    }
  }

  // Spec: C4.8
  func testAPromiseThatIsBoundAfterItsCancelWithdrawsAtOnce() throws {
    let (chain, failure, cancelled) = (Chain(), Failure(), Promise())
    cancelled.cancel(failure)
    cancelled.bind(chain.end)
    chain.assertCancelled(failure)
    // A resolver that resolves with an `Optional` promise also forwards the cancel at once.
    let (second, resolver) = Promise.pending()
    second.cancel(failure)
    let third = Promise()
    resolver.resolve(third as Promise?, nil)
    XCTAssertTrue(third.isCancelled)
  }

  /// A second resolution has no effect, even if the promise was freed.
  // Spec: C4.8, A2.11
  func testASecondResolutionOfAFreedPromiseHasNoEffect() {
    let resolver = {
      let (promise, resolver) = Promise.pending()
      promise.cancel()
      return resolver
    }()
    resolver.fulfill("the first resolution")
    let other = Promise()
    XCTAssertFalse(resolver.resolve(other))
    XCTAssertTrue(other.isPending)
  }

  // Spec: C4.1, C3.1, C4.20
  func testACancelOfASettledFollowerHasNoEffect() throws {
    let other = Promise()
    let adopter = other.follower()
    other.fulfill("value")
    let pendingChild = other.thenOn(SteppedContext()) { _ in 1 }
    adopter.cancel()
    XCTAssertTrue(adopter.isFulfilled && other.isFulfilled)
    XCTAssertTrue(pendingChild.isPending, "a settled adopter forwards no cancel")
  }

  // Spec: C4.2
  func testAChildThatIsCancelledWhileItsHandlerRunsWithdrawsFromTheResult() {
    let (chain, failure) = (Chain(), Failure())
    let (started, gate, queue) = (Event(), Event(), DispatchQueue(label: "handler"))
    let child = Promise.resolved(1).thenOn(queue) { _ -> Promise in
      started.signal()
      gate.wait("permission")
      return chain.end
    }
    started.wait("the handler")
    child.cancel(failure)
    gate.signal()
    queue.sync {}
    chain.assertCancelled(failure)
  }

  // Spec: C4.2, C4.9
  func testACancelledPromiseWithdrawsFromThePromiseOfItsThenable() {
    let functions = Log<DeferredThenable.Functions>()
    let (task, resolver) = Promise.pending()
    let promise = Promise.resolved(DeferredThenable(functions))
    promise.cancel()
    functions.all[0].resolve(task)
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C4.1, L3.1
  func testAHeldFollowerInTheMiddleCanBeCancelled() {
    for holdsMiddle in [true, false] {
      let (inner, resolver) = (Promise(), Recorded<Resolver?>(nil))
      var root: Promise? = Promise(on: .immediate) { resolver.set($0) }
      var middle = root?.then { _ in inner }
      let outer = middle!.follower()
      if holdsMiddle { root = nil } else { middle = nil }
      resolver.value?.fulfill(1)
      (middle ?? root)?.cancel()
      XCTAssertTrue(outer.isCancelled && inner.isCancelled, "\(holdsMiddle)")
    }
  }

  // Spec: L3.1, C6.9
  func testAnObservedFollowerInTheMiddleIsNotSkipped() {
    for keepsResolver in [true, false] {
      let (inner, end, kept) = (Promise(on: .immediate), Recorded("none"), Recorded<Resolver?>(nil))
      let outer = Promise(on: .immediate) { resolver in
        resolver.resolve(inner)
        if keepsResolver { kept.set(resolver) } else { resolver.onTermination { end.set("\($0)") } }
      }.follower()
      kept.value?.onTermination { end.set("\($0)") }
      inner.fulfill(1)
      XCTAssertTrue(outer.isFulfilled && end.value == "settled", end.value)
    }
  }
}
