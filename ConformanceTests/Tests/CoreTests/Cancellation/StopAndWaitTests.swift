// `end.withdraw(); try await end.finished().value` stops a chain of any shape, and waits for its clean-up.

import DynamicPromise
import XCTest

/// Makes the end of a chain whose work is done by `source`.
private typealias Shape = @Sendable (_ source: Promise) -> Promise

private let never = 1000.0

private let shapes: [(name: String, make: Shape)] = [
  ("then", { $0.then { $0 } }),
  ("three steps", { $0.then { $0 }.then { $0 }.then { $0 } }),
  ("catch", { $0.catch { _ in 0 } }),
  ("both handlers", { $0.then({ $0 }, { _ in 0 }) }),
  ("finally", { $0.finally {} }),
  ("finally in the middle", { $0.finally {}.then { $0 } }),
  ("asynchronous handler", { $0.then { (value: Int) async in value } }),
  ("a returned promise", { source in Promise.resolved(0, on: .immediate).then { _ in source } }),
  (
    "below a returned promise",
    { source in Promise.resolved(0, on: .immediate).then { _ in source }.then { $0 } }
  ),
  (
    "returned promises in each other",
    { source in
      Promise.resolved(0, on: .immediate).then { _ in
        Promise.resolved(0, on: .immediate).then { _ in source.then { $0 } }.then { $0 }
      }.finally {}
    }
  ),
  ("bind", { $0.then { $0 }.follower() }),
  ("resolver", { source in Promise(on: .immediate) { $0.resolve(source.then { $0 }) } }),
  ("setTimeout", { $0.setTimeout(never) }),
  ("timeout", { $0.then { $0 }.timeout(never, cancelling: true) }),
  ("below a timeout", { $0.timeout(never, cancelling: true).then { $0 }.catch { _ in 0 } }),
  ("delay", { $0.delay(never) }),
  ("all", { Promise.all([$0, $0.then { $0 }]) }),
  ("all of keys", { Promise.all(["a": $0.then { $0 }]).then { $0 } }),
  ("allSettled", { Promise.allSettled([$0.then { $0 }]) }),
  ("any", { Promise.any([$0, Promise()]).then { $0 } }),
  ("race", { Promise.race([$0.finally {}, Promise()]) }),
  ("sequence", { source in Promise.sequence([1], on: .immediate) { (_: Int) in source.then { $0 } } }),
  ("the inputs of a sequence", { Promise.sequence([Promise(), $0.then { $0 }]) { $0 } }),
  ("the inputs of map", { Promise.map([$0.then { $0 }, Promise()], on: .immediate) { $0 }.then { $0 } }),
  ("map", { source in Promise.map([1, 2], on: .immediate) { (_: Int) in source.then { $0 } } }),
  ("repeat", { source in Promise.repeat(on: .immediate) { source.then { $0 } } }),
  ("retry", { source in Promise.retry(3, on: .immediate) { source.then { $0 } } }),
  (
    "retry with a limit",
    { source in
      Promise.retry(3, on: .immediate) { source.timeout(never, cancelling: true) }.finally {}
    }
  ),
  ("reflect", { $0.reflect() }),
  ("tap", { $0.tap { _ in } }),
]

final class StopAndWaitTests: XCTestCase {
  // Spec: C4.26
  func testFinishedWaitsForCleanUpAboveAPromiseThatWasGivenUp() {
    for (name, make) in shapes {
      let (source, cleanUp) = (Promise(on: .immediate), Promise(on: .immediate))
      source.catch { _ in cleanUp }
      let end = make(source)
      let before = end.finished(on: .immediate)
      end.withdraw()
      XCTAssertTrue(source.isCancelled, name)
      let whole = end.finished(on: .immediate)
      XCTAssertTrue(whole.isPending && before.isPending, "the clean-up is not over: \(name)")
      cleanUp.fulfill(())
      eventually("the end of \(name)") { whole.isFulfilled && before.isFulfilled }
    }
  }

  // Spec: C4.26
  func testFinishedWaitsForATaskThatCleansUp() throws {
    for (name, make) in shapes {
      let (started, goOn, cleaned) = (Event(), Promise(), Counter())
      let source = Promise { () async throws -> Int in
        started.signal()
        await untilCancelled()
        await Task { _ = try? await goOn.value }.value
        cleaned.increment()
        throw CancellationError()
      }
      started.wait(name)
      let end = make(source)
      end.withdraw()
      let whole = end.finished()
      goOn.fulfill(())
      _ = try whole.get(timeout: patience)
      XCTAssertEqual(cleaned.value, 1, name)
    }
  }

  // Spec: C4.26
  func testTheBranchOfAnotherConsumerIsNotAwaited() {
    let (source, cleanUp) = (Promise(on: .immediate), Promise(on: .immediate))
    let other = source.then { _ in cleanUp }
    let end = source.then { $0 }.then { $0 }
    XCTAssertTrue(end.withdraw())
    XCTAssertTrue(source.isPending && end.finished().isFulfilled)
    withExtendedLifetime(other) {}
  }

  // Spec: C4.26
  func testASecondWithdrawalWaitsForTheFirstOne() {
    let (source, cleanUp) = (Promise(on: .immediate), Promise(on: .immediate))
    source.catch { _ in cleanUp }
    let (one, two) = (source.then { $0 }, source.then { $0 })
    XCTAssertTrue(one.withdraw() && source.isPending)
    XCTAssertTrue(one.finished().isFulfilled)
    XCTAssertTrue(two.withdraw() && source.isCancelled)
    let whole = two.finished()
    XCTAssertTrue(whole.isPending && one.finished().isFulfilled)
    cleanUp.fulfill(())
    XCTAssertTrue(whole.isFulfilled)
  }

  // Spec: K17.11
  func testAFollowerWaitsForCleanUpBelowAPromiseThatWasGivenUp() {
    let (source, cleanUp) = (Promise(on: .immediate), Promise(on: .immediate))
    let end = source.then { $0 }
    end.catch { _ in cleanUp }
    let follower = end.follower()
    follower.cancel()
    XCTAssertTrue(source.isCancelled && end.isCancelled)
    let whole = follower.finished()
    XCTAssertTrue(whole.isPending)
    cleanUp.fulfill(())
    XCTAssertTrue(whole.isFulfilled)
  }

  // Spec: C4.24
  func testAWithdrawalAgainstASettlementOfALongChain() {
    #if DEBUG
      let rounds = 2000
    #else
      let rounds = 20_000
    #endif
    race(lanes: 2, rounds: rounds) { _ in
      let root = Promise(on: .immediate)
      var end = root
      for _ in 0..<64 { end = end.then { $0 } }
      let (last, answer) = (end, Log<Bool>())
      return racing([{ answer.append(last.withdraw()) }, { root.fulfill(1) }]) {
        eventually("the outcome") { last.isSettled }
        XCTAssertEqual(answer.all, [last.isCancelled])
      }
    }
  }

  // Spec: K17.5, X4.3
  func testADeinitThatTheEndOfAWaitCausesMayCancel() {
    for isBelow in [false, true] {
      let (victim, seen) = (Promise(on: .immediate), Log<Bool>())
      let below = victim.then { $0 }
      let slow = Promise(on: .immediate)
      let acting = { @Sendable in
        Canary {
          victim.cancel()
          seen.append(below.isCancelled)
        }
      }
      let whole = { () -> Promise in
        let root = Promise.resolved(isBelow ? 0 : acting(), on: .immediate)
        root.then { _ in isBelow ? acting() : 0 }.then { _ in slow }
        return root.finished()
      }()
      slow.fulfill(1)
      XCTAssertTrue(whole.isFulfilled)
      XCTAssertEqual(seen.all, [true])
    }
  }

  /// The hooks of a timer's cancel run on another thread than the timer.
  // Spec: K17.17
  func testHooksThatATimerCallsEndTheWait() throws {
    let kept = Log<Resolver>()
    for _ in 0..<20 {
      let limited = Promise { resolver in
        kept.append(resolver)
        resolver.onCancel { _ in }
      }.timeout(0.005, cancelling: true)
      XCTAssertThrowsError(try limited.get(timeout: patience))
      _ = try limited.finished().get(timeout: patience)
    }
  }

  // Spec: K17.11
  func testAPromiseThatContinuesIsNotAwaited() {
    let source = Promise()
    let (first, other) = (source.follower(), source.follower())
    first.cancel()
    XCTAssertTrue(first.finished().isFulfilled && source.isPending && other.isPending)
  }

  // Spec: K17.11, C4.17
  func testAPromiseThatWasGivenUpIsAwaitedForOtherConsumersToo() {
    let (source, slow) = (Promise(), DispatchQueue(label: "slow"))
    slow.suspend()
    let cleaned = source.catchOn(slow) { _ in }
    let (kept, end) = (source.then { $0 }, cleaned.then { $0 })
    end.withdraw()
    end.cancel()
    cleaned.then { $0 }
    let finished = end.finished()
    XCTAssertTrue(finished.isPending && kept.isPending)
    slow.resume()
    XCTAssertTrue(finished.wait())
  }

  /// An asynchronous handler has left the thread that called it. So this thread may wait for the handler.
  // Spec: H2.10, K17.12
  func testAnAsynchronousCleanUpBlocksNoThread() {
    let (root, gate) = (Promise(on: .immediate), Promise())
    let child = root.catch { (_: any Error) async throws in _ = try await gate.value }
    root.cancel()
    XCTAssertThrowsError(try child.get(timeout: 0.01)) { XCTAssertEqual("\($0)", "timed out") }
    gate.fulfill(1)
    XCTAssertTrue(child.wait())
  }
}
