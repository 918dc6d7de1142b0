// A withdrawal stops at a fork, at a settled parent and at a shield (C4.4, C4.8, C4.11, C4.18 to C4.20).

import Dispatch
import DynamicPromise
import XCTest

final class WithdrawalForkTests: XCTestCase {
  // Spec: C4.11, C4.24
  func testAtAFork() throws {
    let (context, failure) = (SteppedContext(), Failure())
    let (session, resolver) = Promise.pending(on: context)
    let (stopped, caught, ran) = (Counter(), Log<any Error>(), Counter())
    resolver.onCancel { _ in stopped.increment() }
    let first = session.then { _ in ran.increment() }
    let branch = first.then { _ in ran.increment() }.catch { caught.append($0) }
    let other = session.then { $0 }
    let follower = Promise.resolved(branch)
    follower.cancel(failure)
    XCTAssertTrue(first.isCancelled)
    context.drain()
    XCTAssertTrue(branch.isCancelled)
    XCTAssertEqual(caught.all.map { $0 as? Failure }, [failure])
    XCTAssertTrue(session.isPending && other.isPending)
    XCTAssertEqual(stopped.value, 0)
    resolver.fulfill("value")
    context.drain()
    XCTAssertEqual(try other.value(), "value")
    XCTAssertEqual(ran.value, 0)
  }

  // Spec: C4.11
  func testTheRejectionHandlerWhereTheCancelStarts() throws {
    let (context, failure, own) = (SteppedContext(), Failure(), Failure("its own"))
    let session = Promise(on: context)
    let other = session.then { $0 }
    let log = Log<String>()
    let branches = [
      session.then({ _ in log.append("value") }, { _ in log.append("both") }),
      session.catch { _ in log.append("catch") },
      session.finally { log.append("finally") },
      session.catch { _ -> Int in
        log.append("throws")
        throw own
      },
    ]
    let below = branches.map { $0.then { _ in log.append("below") } }
    for branch in below { Promise.resolved(branch).cancel(failure) }
    XCTAssertTrue(branches.allSatisfy(\.isPending), "each branch is pending until its handler returns (C2.3)")
    context.drain()
    XCTAssertEqual(log.all.sorted(), ["both", "catch", "finally", "throws"])
    for (index, (branch, end)) in zip(branches, below).enumerated() {
      assertCancelled([branch, end], index == 3 ? own : failure, "\(index)")
    }
    XCTAssertTrue(session.isPending && other.isPending)
  }

  // Spec: C4.11, C3.5
  func testBelowASettledPromise() {
    for isRunning in [false, true] {
      let (queue, failure) = (DispatchQueue(label: "step"), Failure())
      let (started, gate, ran) = (Event(), Event(), Log<String>())
      let session = Promise.resolved("session")
      // The first step either runs, or waits in the queue behind another block.
      if !isRunning { queue.async { gate.wait("permission") } }
      let first = session.thenOn(queue) { _ in
        if isRunning {
          started.signal()
          gate.wait("permission")
        }
        ran.append("first")
      }
      let end = first.thenOn(queue) { _ in ran.append("second") }.catchOn(queue) { _ in ran.append("caught") }
      if isRunning { started.wait("the first step") }
      Promise.resolved(end).cancel(failure)
      XCTAssertTrue(first.isCancelled)
      XCTAssertTrue(session.isFulfilled)
      gate.signal()
      XCTAssertTrue(try end.reason() as? Failure === failure)
      queue.sync {}
      XCTAssertEqual(ran.all.sorted(), isRunning ? ["caught", "first"] : ["caught"])
    }
  }

  /// The chain stays pending until its other consumer leaves.
  // Spec: C4.8
  func testWithdrawalBeforeAdoption() throws {
    let (chain, failure) = (Chain(), Failure())
    let child = chain.end.then { $0 }
    let late = Promise()
    late.cancel(failure)
    late.resolve(chain.end)
    chain.assertPending()
    child.cancel()
    chain.assertCancelled(failure)
  }

  // Spec: C4.18
  func testWhatAFinallyReturned() throws {
    let chain = Chain()
    let cleaned = chain.context.settled(1).finally { chain.end }
    let outer = Promise.resolved(cleaned)
    chain.context.drain()
    XCTAssertTrue(cleaned.isPending)
    outer.cancel()
    XCTAssertTrue(cleaned.isCancelled)
    chain.assertPending("`finally` does not cancel the promise that its body returned")
    chain.finish()
    XCTAssertEqual(try chain.end.value(), "value")
  }

  // Spec: C4.19
  func testShielded() throws {
    let chain = Chain()
    let shielded = chain.end.shielded()
    XCTAssertTrue(shielded.parent === chain.end)
    let request = shielded.then { $0 }
    Promise.resolved(request).cancel()
    XCTAssertTrue(request.isCancelled)
    Promise.resolved(shielded).cancel()
    shielded.follower().cancel()
    chain.follower().cancel()
    XCTAssertTrue(shielded.isPending)
    chain.assertPending("the shielded child is a consumer")
    let next = shielded.then { $0 }
    chain.finish()
    XCTAssertEqual(try shielded.value(), "value")
    XCTAssertEqual(try next.value(), "value")
  }

  // Spec: C4.19
  func testAShieldedPromiseIsCancelledAsAnyOther() throws {
    let (chain, failure) = (Chain(), Failure())
    let shielded = chain.end.shielded()
    let request = shielded.then { $0 }
    chain.follower().cancel(failure)
    chain.assertPending()
    shielded.cancel()
    XCTAssertTrue(request.isCancelled)
    chain.assertCancelled(failure, "the last consumer of the chain has left")

    let (second, own) = (Chain(), Failure("from above"))
    let below = second.end.shielded()
    second.root.cancel(own)
    second.context.drain()
    assertCancelled([below], own)
    XCTAssertTrue(second.context.broken().shielded().isRejected)
  }

  // Spec: C4.20
  func testASettledPromiseIsNotWithdrawnFrom() {
    let context = SteppedContext()
    let session = context.settled("session")
    let child = session.then { $0 }
    Promise().cancelled().bind(session)
    XCTAssertTrue(child.isPending, "a withdrawal does not pass through a settled promise")
    context.drain()
    XCTAssertTrue(child.isFulfilled)
  }

  /// A withdrawal does not cancel a child while the child's clean-up runs. The child is cancelled when the
  /// clean-up returns.
  // Spec: C2.3
  func testAWithdrawalFromAChildWhoseCleanUpRuns() {
    let root = Promise(on: .immediate)
    let children = Log<Promise>()
    let states = Log<Bool>()
    let follower = Promise(on: .immediate)
    children.append(
      root.catch { _ in
        follower.cancel()
        states.append(children.all[0].isPending)
      })
    follower.bind(children.all[0])
    root.cancel()
    XCTAssertEqual(states.all, [true])
    XCTAssertTrue(children.all[0].isCancelled)
  }

  /// A `deinit` withdraws from the child just before the child's handler begins in place. The rejection
  /// handler then runs with the reason of the withdrawal.
  // Spec: C4.11
  func testAWithdrawalRightBeforeAHandlerInPlace() throws {
    for settles in [false, true] {
      let reasons = Log<String>()
      let (root, resolver) = Promise.pending(on: .immediate)
      let child = root.then({ $0 }, { reasons.append(($0 as? Failure)?.name ?? "none") })
      // Only the hook retains the canary.
      do {
        let canary = Canary { child.withdraw(Failure("withdrawn")) }
        resolver.onAbandon { [canary] in _ = canary }
      }
      if settles { resolver.fulfill(1) } else { resolver.reject(Failure("outcome")) }
      XCTAssertEqual(reasons.all, ["withdrawn"], "\(settles)")
      XCTAssertTrue(child.isCancelled)
      XCTAssertEqual((try child.reason() as? Failure)?.name, "withdrawn")
    }
  }
}
