// `withdraw()` cancels a chain upward, to the last promise that no other consumer uses.

import DynamicPromise
import XCTest

final class WithdrawTests: XCTestCase {
  /// The end is cancelled even if a hook binds it by hand before that.
  // Spec: C4.24
  func testOneThatIsBoundByHandMeanwhile() {
    for bindsToParent in [true, false] {
      let (root, resolver) = Promise.pending(on: SteppedContext())
      let middle = root.then({ $0 }, { throw $0 })
      let end = middle.then { $0 }
      resolver.onCancel { _ in end.bind(bindsToParent ? middle : Promise()) }
      XCTAssertTrue(end.withdraw())
      XCTAssertTrue(middle.isPending, "the rejection handler has not run")
      XCTAssertTrue(end.isCancelled)
    }
  }

  // Spec: C4.24
  func testFromTheEndOfAChainToItsBeginning() {
    let chain = Chain()
    XCTAssertTrue(chain.end.withdraw())
    chain.assertCancelled()
  }

  // Spec: C4.24
  func testWhileItHasAConsumerNothingHappens() {
    let (promise, resolver) = Promise.pending()
    let mine = promise.then { $0 }
    XCTAssertFalse(promise.withdraw())
    XCTAssertTrue(promise.isPending)
    // The promise is cancelled when its last consumer leaves, because the mark stays.
    mine.cancel()
    XCTAssertTrue(resolver.isCancelled)
    XCTAssertTrue(promise.withdraw(), "the promise is cancelled")
  }

  // Spec: C4.24
  func testTheAnswerDoesNotWaitForTheCleanUp() {
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

  /// The clean-up is scheduled once, with the reason of the parent's cancel.
  // Spec: C2.3
  func testFromAChildWhoseCleanUpIsScheduled() {
    let context = SteppedContext()
    let promise = Promise(on: context)
    let heard = Log<String?>()
    let cleanUp = promise.catch { heard.append(($0 as? Failure)?.name) }
    promise.cancel(Failure("cancel"))
    cleanUp.withdraw(Failure("withdrawal"))
    XCTAssertEqual(context.pendingJobs, 1)
    context.drain()
    XCTAssertEqual(heard.all, ["cancel"])
    XCTAssertTrue(cleanUp.isCancelled)
  }

  // Spec: C4.24
  func testWhatHasSettledOrIsShieldedStays() {
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
  func testTheReason() {
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

  /// A promise keeps the first reason of a withdrawal, even if a child later withdraws with another reason.
  // Spec: C4.16
  func testTheFirstReasonOfAParentStays() {
    let (promise, resolver) = Promise.pending()
    let heard = Log<any Error>()
    resolver.onCancel { heard.append($0) }
    let (one, two) = (promise.then { $0 }, promise.then { $0 })
    promise.withdraw(Failure("first"))
    one.withdraw(Failure("second"))
    two.withdraw(Failure("third"))
    XCTAssertEqual((heard.all.first as? Failure)?.name, "first")
    XCTAssertEqual((try one.reason() as? Failure)?.name, "second")
  }

  /// The handler of the first step withdraws from the end of the chain.
  // Spec: C4.24
  func testInsideAHandler() {
    let root = Promise(on: .immediate)
    let ends = Log<Promise>()
    let answers = Log<Bool>()
    ends.append(root.then { _ in answers.append(ends.all[0].withdraw()) }.then { $0 })
    root.fulfill(1)
    XCTAssertEqual(answers.all, [true])
    XCTAssertTrue(ends.all[0].isCancelled)
    XCTAssertTrue(root.isFulfilled)
  }

  // Spec: C4.24
  func testAgainstSettling() {
    race(lanes: 3, rounds: 2_000) { _ in
      let (promise, resolver) = Promise.pending(on: .immediate)
      let end = promise.then { $0 }.catch { _ in }
      let cancels = Counter()
      resolver.onCancel { _ in cancels.increment() }
      return racing([{ end.withdraw() }, { end.withdraw(Failure()) }, { resolver.fulfill(1) }]) {
        XCTAssertTrue(end.isSettled)
        XCTAssertEqual(promise.isCancelled ? 1 : 0, cancels.value)
      }
    }
  }
}
