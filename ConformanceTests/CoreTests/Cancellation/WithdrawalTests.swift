// What a function returns is the end of a chain: who followed it and is cancelled withdraws, and the chain is
// cancelled from as far up as nothing else uses it (C4). Here: all possible followers. Consumers that keep it
// are in `WithdrawalConsumerTests.swift`, what takes effect later in `WithdrawalMarkTests.swift`, where the
// way up ends in `WithdrawalForkTests.swift`, what comes together in `WithdrawalOrderTests.swift`.

import Dispatch
import DynamicPromise
import XCTest

final class WithdrawalTests: XCTestCase {
  // Spec: C4.2, C4.10, R4.6
  func testReturnedFromAHandler() {
    for isFromTheRoot in [false, true] {
      let chain = Chain()
      let failure = Failure()
      let login = chain.context.settled("ann")
      let shown = login.then { _ in chain.end }
      let below = shown.then { $0 }
      chain.context.drain()
      chain.assertPending()
      (isFromTheRoot ? shown.root : shown).cancel(failure)
      XCTAssertTrue(shown.isCancelled)
      XCTAssertTrue(below.isCancelled)
      XCTAssertTrue(login.isFulfilled)
      chain.assertCancelled(failure, "from the root: \(isFromTheRoot)")
    }
  }

  // Spec: C4.2, C4.6
  func testFromAHandlerOfAHandler() {
    let chain = Chain()
    let (context, failure) = (chain.context, Failure())
    @Sendable func inner() -> Promise {
      context.settled(2).then { _ in chain.end }.then { $0 }.catch { _ in 0 }
    }
    let outer = context.settled(1).then { _ in inner() }.then { $0 }
    context.drain()
    chain.assertPending()
    outer.root.cancel(failure)
    XCTAssertTrue(outer.isCancelled)
    chain.assertCancelled(failure)
  }

  // Spec: C4.1, C4.3, C4.10
  func testBound() {
    let ways: [(String, @Sendable (Promise) -> Promise)] = [
      (
        "bind",
        { end in
          let promise = Promise()
          promise.bind(end)
          return promise
        }
      ),
      ("a resolver", { end in Promise { $0.resolve(end) } }),
      ("resolved", { end in Promise.resolved(end) }),
      ("a child", { end in Promise.resolved(end).then { $0 } }),
    ]
    for (name, follow) in ways {
      let chain = Chain()
      let failure = Failure()
      let follower = follow(chain.end)
      chain.assertPending(name)
      (follower.parent ?? follower).cancel(failure)
      XCTAssertTrue(follower.isCancelled, name)
      chain.assertCancelled(failure, name)
    }
  }

  // Spec: C4.3, C4.10
  func testThePromiseOfAThenable() {
    let (chain, failure) = (Chain(), Failure())
    let follower = Promise.resolved(ThenableOf(chain.end))
    follower.cancel(failure)
    chain.assertCancelled(failure)
  }

  // Spec: K3.2, C4.10
  func testRaced() {
    let (context, failure) = (SteppedContext(), Failure())
    let chains = [Chain(context), Chain(context)]
    let race = Promise.race(chains.map(\.end), cancellingInputs: true)
    race.cancel(failure)
    for chain in chains { chain.assertCancelled(failure) }
  }

  // Spec: K3.3, C4.10
  func testTheLoserOfARace() {
    let (chain, mirror) = (Chain(), Promise())
    let race = Promise.race([chain.end, mirror], cancellingInputs: true)
    mirror.fulfill("won")
    XCTAssertEqual(try race.value(), "won")
    chain.assertCancelled()
  }

  // Spec: K3.2, C4.10
  func testInAllAndAny() {
    let combine: [(String, @Sendable ([Promise]) -> Promise)] = [
      ("all", { Promise.all($0, cancellingInputs: true) }),
      ("allSettled", { Promise.allSettled($0, cancellingInputs: true) }),
      ("any", { Promise.any($0, cancellingInputs: true) }),
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

  // Spec: K5.5, K6.5, C4.10, R6.6
  func testInSequenceAndRepeat() {
    for isLoop in [false, true] {
      let (chain, failure, rounds) = (Chain(), Failure(), Counter())
      let task: @Sendable () -> Promise = {
        rounds.increment()
        return chain.end
      }
      let series =
        isLoop
        ? Promise.repeat(on: chain.context) { task() }
        : Promise.sequence([1, 2], on: chain.context) { _ in task() }
      chain.context.drain()
      chain.assertPending()
      series.cancel(failure)
      chain.assertCancelled(failure, "a loop: \(isLoop)")
      XCTAssertEqual(rounds.value, 1)
    }
  }

  // Spec: T1.5, C4.10
  func testAwaitedByCancellingValue() throws {
    let (chain, executor, outcome) = (Chain(), ManualTaskExecutor(), TaskOutcome())
    let task = Task(executorPreference: executor) {
      do { outcome.finish(.success(try await chain.end.cancellingValue)) } catch {
        outcome.finish(.failure(error))
      }
    }
    executor.step()
    chain.assertPending()
    task.cancel()
    chain.assertCancelled()
    executor.step()
    XCTAssertTrue(try outcome.reason() is CancellationError)
  }

  // Spec: C4.2, C4.8
  func testUnderAnAsynchronousHandler() throws {
    // Cancelled before the handler returns, and about when it does: it comes to the same.
    for isCancelledBefore in [true, false] {
      let (chain, failure, gate) = (Chain(), Failure(), Promise())
      let started = Event()
      let child = Promise.resolved(1).then { _ async in
        started.signal()
        // Not to be woken by the cancellation.
        await withCheckedContinuation { continuation in gate.then { continuation.resume() } }
        return chain.end
      }
      started.wait("the handler")
      if isCancelledBefore { child.cancel(failure) }
      gate.fulfill(())
      child.cancel(failure)
      chain.drainUntilTheEnd()
      chain.assertCancelled(failure, "before: \(isCancelledBefore)")
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

  // Spec: T2.1, T2.2, C4.10
  func testATaskOfAsynchronousCode() {
    let (begun, noticed) = (Event(), Event())
    let end = Promise {
      begun.signal()
      await untilCancelled()
      noticed.signal()
    }.then { $0 }
    begun.wait("the task")
    let follower = Promise()
    follower.bind(end)
    follower.cancel()
    noticed.wait("the cancellation of the task")
  }
}
