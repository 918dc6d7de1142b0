// A cancelled follower withdraws from the end of a chain. The chain is cancelled upward, to the last promise
// that no other consumer uses (C4). `CancellationAdoptionTests.swift` tests more ways to follow.

import Dispatch
import DynamicPromise
import XCTest

final class WithdrawalTests: XCTestCase {
  // Spec: C4.2, C4.6, C4.10
  func testFromAHandlerOfAHandler() {
    for isFromTheRoot in [false, true] {
      let chain = Chain()
      let (context, failure) = (chain.context, Failure())
      @Sendable func inner() -> Promise {
        context.settled(2).then { _ in chain.end }.then { $0 }.catch { _ in 0 }
      }
      let login = context.settled(1)
      let outer = login.then { _ in inner() }
      let below = outer.then { $0 }
      context.drain()
      chain.assertPending()
      (isFromTheRoot ? login : outer).cancel(failure)
      XCTAssertTrue(outer.isCancelled && below.isCancelled && login.isFulfilled)
      chain.assertCancelled(failure, "from the root: \(isFromTheRoot)")
    }
  }

  // Spec: K3.2, C4.10
  func testInACombinator() {
    let combine: [(String, @Sendable ([Promise]) -> Promise)] = [
      ("all", { Promise.all($0, cancellingInputs: true) }),
      ("allSettled", { Promise.allSettled($0, cancellingInputs: true) }),
      ("any", { Promise.any($0, cancellingInputs: true) }),
      ("race", { Promise.race($0, cancellingInputs: true) }),
      ("all of all", { Promise.all([Promise.all($0, cancellingInputs: true)], cancellingInputs: true) }),
      ("a handler's all", { inputs in Promise.resolved(Promise.all(inputs, cancellingInputs: true)) }),
    ]
    for (name, combine) in combine {
      let (context, failure) = (SteppedContext(), Failure())
      let chains = [Chain(context), Chain(context)]
      combine(chains.map(\.end)).cancel(failure)
      for chain in chains { chain.assertCancelled(failure, name) }
    }
  }

  /// In the first two cases the child is cancelled before the handler returns, and then retained or released.
  /// In the third case the child is cancelled while the handler returns.
  // Spec: C4.2, C4.8
  func testUnderAnAsynchronousHandler() throws {
    for (isCancelledBefore, isReleased) in [(true, false), (true, true), (false, false)] {
      let (chain, failure, gate) = (Chain(), Failure(), Promise())
      let started = Event()
      var child: Promise? = Promise.resolved(1).then { _ async in
        started.signal()
        // The cancellation does not end this wait.
        await withCheckedContinuation { continuation in gate.then { continuation.resume() } }
        return chain.end
      }
      started.wait("the handler")
      if isCancelledBefore { child?.cancel(failure) }
      if isReleased { child = nil }
      gate.fulfill(())
      child?.cancel(failure)
      chain.drainUntilCancelled()
      chain.assertCancelled(failure, "before: \(isCancelledBefore), released: \(isReleased)")
    }
  }

  // Spec: C4.2
  func testWhileTheHandlerThatMakesItStillRuns() {
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
}
