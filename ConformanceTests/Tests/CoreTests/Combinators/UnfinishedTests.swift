// Some work keeps a settled promise unfinished, and `finished()` waits for this work (K17.8 to K17.17).

import Dispatch
import DynamicPromise
import TestSupport
import XCTest

final class UnfinishedTests: XCTestCase {
  /// The ways to use or free a resolver.
  private let uses: [(inout Resolver?) -> Void] = [
    { $0?.fulfill(1) }, { $0?.reject(Failure()) }, { $0?.resolve(2) }, { $0?.resolve(Promise()) },
    { $0 = nil },
  ]

  /// Whether the promise and everything below it are finished.
  private func isFinished(_ promise: Promise) -> Bool { promise.finished(on: .immediate).isFulfilled }

  /// Expects that the promises finish when `end` runs, and not before.
  private func assertFinish(
    _ promises: Promise..., name: String = "", line: UInt = #line, when end: () -> Void
  ) {
    let wholes = promises.map { $0.finished(on: .immediate) }
    XCTAssertTrue(wholes.allSatisfy(\.isPending), "\(wholes) \(name)", line: line)
    end()
    XCTAssertTrue(wholes.allSatisfy(\.isFulfilled), "\(wholes) \(name)", line: line)
    XCTAssertEqual(promises.map(isFinished), wholes.map { _ in true }, name, line: line)
  }

  // Spec: K17.8
  func testAPromiseIsUnfinishedWhileItsHandlerRuns() {
    for cancel: @Sendable (Promise) -> Void in [{ $0.cancel() }, { $0.root.cancel() }] {
      let (root, children, seen) = (Promise(on: .immediate), Log<Promise>(), Log<Bool>())
      let child = root.then { _ in
        cancel(children.all[0])
        seen.append(children.all[0].finished(on: .immediate).isPending)
      }
      children.append(child)
      root.fulfill(1)
      XCTAssertTrue(child.isCancelled)
      XCTAssertEqual(seen.all, [true])
      XCTAssertTrue(isFinished(child) && isFinished(root))
    }
  }

  // Spec: K17.17
  func testAPromiseIsUnfinishedWhileItsCancelHooksRun() throws {
    let (promise, resolver) = Promise.pending(on: .immediate)
    let (inHook, goOn) = (Event(), Event())
    resolver.onCancel { _ in resolver.fulfill(0) }
    resolver.onCancel { _ in
      inHook.signal()
      goOn.wait()
    }
    DispatchQueue.global().async { promise.cancel() }
    inHook.wait()
    let whole = promise.finished()
    XCTAssertTrue(whole.isPending)
    goOn.signal()
    _ = try whole.get(timeout: patience)
  }

  // Spec: K17.15, K17.17
  func testAWaitForItselfInACancelHookThrows() {
    let (promise, resolver) = Promise.pending(on: .immediate)
    let waits = Log<WaitOutcome>()
    resolver.onCancel { _ in
      resolver.fulfill(0)
      waits.append(WaitOutcome { try promise.finished().get(timeout: patience) })
    }
    promise.cancel()
    XCTAssertEqual(waits.all, [.wouldDeadlock])
    XCTAssertTrue(isFinished(promise))
  }

  // Spec: K17.9
  func testACancelledPromiseIsUnfinishedUntilAResolverThatAlwaysCallsBackIsUsed() {
    for use in uses {
      var (promise, resolver): (Promise, Resolver?) = Promise.callingBack(on: .immediate)
      let below = promise.then { $0 }
      promise.cancel()
      XCTAssertTrue(below.isCancelled && isFinished(below), "`finished()` waits only for promises below")
      assertFinish(promise) { use(&resolver) }
    }
    let bare = Promise()
    bare.cancel()
    XCTAssertTrue(isFinished(bare), "the promise has no resolver")
  }

  // Spec: K17.9
  func testACancelledPromiseDoesNotWaitForAnyOtherResolver() {
    let (promise, resolver) = Promise.pending(on: .immediate)
    let follower = promise.follower()
    follower.cancel()
    XCTAssertTrue(promise.isCancelled && isFinished(promise) && isFinished(follower))
    resolver.alwaysCallsBack()
    XCTAssertTrue(isFinished(promise), "too late")
    let (used, usedResolver) = Promise.pending(on: .immediate)
    usedResolver.resolve(promise)
    usedResolver.alwaysCallsBack()
    XCTAssertTrue(isFinished(used), "too late")
  }

  // Spec: K17.10
  func testAPromiseIsUnfinishedUntilItsThenableCallsBack() {
    for use: (inout Log<DeferredThenable.Functions>?) -> Void in [
      { $0?.all[0].resolve(1) }, { $0?.all[0].reject(Failure()) },
      { $0?.all[0].resolve(Promise.resolved(2)) },
      // A thenable that has released its functions can no longer call back.
      { $0 = nil },
    ] {
      let promise = Promise()
      var functions: Log<DeferredThenable.Functions>? = Log()
      promise.resolve(functions.map { DeferredThenable($0) })
      promise.cancel()
      XCTAssertEqual(functions?.count, 1)
      assertFinish(promise) { use(&functions) }
    }
  }

  // Spec: K17.11
  func testAPromiseThatIsResolvedAfterItsCancelWaitsForThatPromise() {
    let (promise, resolver) = Promise.callingBack(on: .immediate)
    let (late, lateResolver) = Promise.callingBack(on: .immediate)
    promise.cancel()
    resolver.resolve(late)
    XCTAssertTrue(late.isCancelled)
    assertFinish(promise) { lateResolver.fulfill(1) }
  }

  // Spec: K17.12
  func testFinishedWaitsForTheBodyOfAFinally() {
    for isDropped in [false, true] {
      let (root, context, cleanUp) = (Promise(on: .immediate), SteppedContext(), Promise())
      let child = root.finallyOn(context) { cleanUp }
      child.cancel()
      XCTAssertTrue(child.isCancelled && root.isPending)
      let whole = child.finished()
      XCTAssertTrue(whole.isPending, "the body has not begun")
      if isDropped {
        context.dropAll()
      } else {
        context.drain()
        XCTAssertTrue(whole.isPending, "the promise that the body returned is pending")
        XCTAssertTrue(cleanUp.isPending)
        cleanUp.reject(Failure())
      }
      XCTAssertTrue(whole.isFulfilled, "dropped: \(isDropped)")
    }
  }

  // Spec: C9.6, K17.12
  func testAnAsynchronousFinallyIsNeverInterrupted() throws {
    for isCancelledFirst in [true, false] {
      let (started, goOn, returned) = (Event(), Promise(), Log<Bool>())
      let root = Promise(on: .immediate)
      let child = root.finally {
        started.signal()
        await Task { _ = try? await goOn.value }.value
        returned.append(Task.isCancelled)
      }
      if isCancelledFirst { child.cancel() } else { root.fulfill(1) }
      started.wait()
      if !isCancelledFirst { child.cancel() }
      let whole = child.finished()
      XCTAssertTrue(child.isCancelled && whole.isPending)
      goOn.fulfill(())
      _ = try whole.get(timeout: patience)
      XCTAssertEqual(returned.all, [false])
    }
  }

  // Spec: K17.13
  func testAFollowerIsNotFinishedBeforeWhatItFollows() {
    let (promise, resolver) = Promise.callingBack(on: .immediate)
    let early = promise.follower()
    promise.cancel()
    let late = promise.follower()
    XCTAssertTrue(early.isCancelled && late.isCancelled)
    assertFinish(early, late) { resolver.fulfill(1) }
  }

  // Spec: K17.13, K3.3
  func testACombinatorIsUnfinishedUntilTheInputsThatItCancelledAreFinished() {
    let (slow, resolver) = Promise.callingBack(on: .immediate)
    let winner = Promise(on: .immediate)
    let race = Promise.race([winner, slow], cancellingRest: true)
    winner.fulfill(1)
    XCTAssertTrue(race.isFulfilled && slow.isCancelled)
    assertFinish(race) { resolver.fulfill(1) }
    let (other, otherResolver) = Promise.callingBack(on: .immediate)
    let left = Promise.race([winner, other])
    XCTAssertTrue(left.isFulfilled && isFinished(left), "this race does not cancel its inputs")
    withExtendedLifetime(otherResolver) {}
  }

  // Spec: K17.13
  func testACombinatorIsUnfinishedUntilItsRejectedInputsAreFinished() {
    let combinators: [([Promise]) -> Promise] = [
      { Promise.all($0, on: .immediate) }, { Promise.allSettled($0, on: .immediate) },
      { Promise.any($0, on: .immediate) }, { Promise.race($0, on: .immediate) },
    ]
    for combine in combinators {
      for isLate in [false, true] {
        let resolvers = Log<Resolver>()
        let start = isLate ? Promise(on: .immediate) : Promise.resolved(0, on: .immediate)
        // The input follows a promise that is rejected and has unfinished work.
        let input = start.then { _ in Self.failing(resolvers) }
        let result = combine([input])
        start.fulfill(0)
        XCTAssertTrue(result.isSettled)
        assertFinish(result) { resolvers.all[0].fulfill(1) }
      }
    }
  }

  /// The next task does not wait for the unfinished work of a fulfilled promise above the previous step.
  // Spec: K17.11, K17.16
  func testASequenceDoesNotWaitForTheLosersOfAFulfilledSession() {
    let (loser, resolver) = Promise.callingBack(on: .immediate)
    let session = Promise.any([Promise.resolved(1), loser], on: .immediate, cancellingRest: true)
    XCTAssertTrue(loser.isCancelled && session.isFulfilled)
    let all = Promise.sequence([1, 2, 3], on: .immediate) { (_: Int) in session.then { $0 } }
    XCTAssertTrue(all.isFulfilled)
    withExtendedLifetime(resolver) {}
  }

  /// Returns a rejected race. The race is unfinished until the resolver of its cancelled input is used.
  private static func failing(_ resolvers: Log<Resolver>) -> Promise {
    let (work, resolver) = Promise.callingBack(on: .immediate)
    resolvers.append(resolver)
    return Promise.race([work, Promise.rejected(Failure())], on: .immediate, cancellingRest: true)
  }

  /// The next attempt waits for the unfinished work of a rejected ancestor, even if a handler has handled
  /// that rejection.
  // Spec: K17.16
  func testTheNextAttemptWaitsForUnfinishedWork() {
    for isRecovered in [false, true] {
      let (resolvers, kept) = (Log<Resolver>(), Log<Promise>())
      let result = Promise.retry(2, on: .immediate) { (attempt: Int) throws -> Promise in
        guard attempt == 1 else { return .resolved("done") }
        let work = Self.failing(resolvers)
        guard isRecovered else { return work.then { $0 } }
        let recovered = work.catch { _ in "" }
        kept.append(recovered)
        return recovered.then { (_: Any) in throw Failure() }
      }
      XCTAssertTrue(resolvers.all[0].isCancelled && result.isPending)
      resolvers.all[0].fulfill(1)
      XCTAssertEqual(try result.get() as? String, "done")
    }
  }

  // Spec: K17.14
  func testNothingIsRetainedWhenTheWorkHasEnded() {
    let census = Census()
    do {
      let (promise, resolver) = Promise.callingBack(on: .immediate)
      census.add(promise)
      let follower = census.add(promise.follower())
      follower.cancel()
      resolver.fulfill(1)
    }
    XCTAssertEqual(census.alive, 0)
  }

  // Spec: K17.15
  func testAWaitThatCouldNeverEndThrows() {
    let (root, waits) = (Promise(on: .immediate), Log<WaitOutcome>())
    root.then { _ in
      root.cancel()
      waits.append(WaitOutcome { try root.finished().get(timeout: patience) })
    }
    root.fulfill(0)
    let bodies = Log<Promise>()
    bodies.append(
      Promise(on: .immediate).finally {
        waits.append(WaitOutcome { try bodies.all[0].finished().get(timeout: patience) })
      })
    bodies.all[0].cancel()
    XCTAssertEqual(waits.all, [.wouldDeadlock, .wouldDeadlock])
  }

  // Spec: K17.8, K17.9, K17.11
  func testACancelAgainstTheEndOfTheTask() throws {
    for _ in 0..<RaceTrack.part(of: 3000, atLeast: 100) {
      let (task, resolver) = Promise.callingBack(on: .shared)
      let root = Promise(on: .shared)
      let ended = Counter()
      let step = root.then { _ in task.then { $0 } }
      root.fulfill(0)
      let use = DispatchWorkItem {
        ended.increment()
        resolver.fulfill(1)
      }
      DispatchQueue.global().async(execute: use)
      step.cancel()
      _ = try root.finished().get(timeout: patience)
      // If the task was cancelled, the wait must not end before the task.
      if task.isCancelled { XCTAssertEqual(ended.value, 1) }
      use.wait()
    }
  }

  // Spec: K17.15
  func testAWaitForTheOwnEndBesideAPendingSiblingThrows() throws {
    let (root, never) = (Promise(), Promise())
    let waiting = root.then { try root.finished().get(timeout: patience) }
    root.then { never }
    root.fulfill(1)
    guard case PromiseError.wouldDeadlock = try waiting.reason() else { return XCTFail("\(waiting)") }
  }
}
