// `withdraw()` cancels a chain upward, to the last promise that no other consumer uses (C4.11, C4.16,
// C4.18 to C4.20, C4.24).

import Dispatch
import DynamicPromise
import XCTest

final class WithdrawTests: XCTestCase {
  // Spec: C4.24
  func testWithdrawReturnsTrueBeforeTheCleanUpHasRun() {
    let context = SteppedContext()
    let cleaned = Counter()
    let promise = Promise(on: context)
    let end = promise.catch { _ in cleaned.increment() }
    XCTAssertTrue(end.withdraw())
    XCTAssertTrue(end.isPending)
    XCTAssertTrue(end.withdraw(), "a second withdrawal changes nothing")
    context.drain()
    XCTAssertTrue(end.isCancelled)
    XCTAssertEqual(cleaned.value, 1)
  }

  // Spec: C4.24
  func testAWithdrawalFromASettledOrShieldedPromiseHasNoEffect() {
    for settled in [Promise.resolved(1), .rejected(Failure())] {
      XCTAssertFalse(settled.withdraw())
      XCTAssertFalse(settled.isCancelled)
      settled.catch { _ in }
    }
    let promise = Promise()
    let shielded = promise.shielded()
    XCTAssertFalse(shielded.withdraw())
    XCTAssertTrue(shielded.isPending && promise.isPending)
  }

  // Spec: C4.24
  func testTheReasonIsTheArgumentOfTheFirstCall() {
    let heard = Log<any Error>()
    for reason in [Failure("first"), "words"] as [Any] {
      let (promise, resolver) = Promise.pending()
      resolver.onCancel { heard.append($0) }
      let end = promise.then { $0 }
      end.withdraw(reason)
      end.withdraw(Failure("second"))
    }
    XCTAssertEqual((heard.all.first as? Failure)?.name, "first")
    guard case PromiseError.cancelled(let words)? = heard.all.last else { return XCTFail("unwrapped reason") }
    XCTAssertEqual(words as? String, "words")
    XCTAssertEqual(heard.count, 2)
  }

  // Spec: C4.11, C4.24
  func testAtAForkOnlyTheWithdrawingBranchIsCancelled() throws {
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
  func testTheRejectionHandlerRunsWhereTheCancelStarts() throws {
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

  // Spec: C4.18
  func testAFinallyDoesNotWithdrawFromThePromiseThatItsBodyReturned() throws {
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
  func testAShieldedPromiseIgnoresWithdrawals() throws {
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
  func testAShieldedPromiseIsCancelledByACancel() throws {
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

  // Spec: C4.18
  func testFinallyIsRejectedByTheCancelOfTheReturnedPromiseButNotCancelled() {
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
}
