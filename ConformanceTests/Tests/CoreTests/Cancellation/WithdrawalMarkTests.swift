// A withdrawal marks a promise as unwanted. The promise is cancelled when its last consumer leaves
// (C4.15, C4.16).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class WithdrawalMarkTests: XCTestCase {
  /// The withdrawal cancels only the branch beside the child. A cancel of the child then cancels the promises
  /// above both branches.
  // Spec: C4.15
  func testTheLastChildIsCancelled() {
    let (chain, reason) = (Chain(), Failure("the first"))
    let child = chain.middle.then { $0 }
    chain.follower().cancel(reason)
    chain.context.drain()
    XCTAssertTrue(chain.end.isCancelled)
    XCTAssertTrue(chain.middle.isPending && chain.root.isPending)
    child.cancel()
    chain.assertCancelled(reason)
  }

  /// Each way adds a consumer, and returns a closure that makes the consumer leave. Only the cancelled
  /// follower withdraws.
  private let ways: [(name: String, come: (Promise) -> () -> Void)] = [
    ("a cancelled follower", { cancelling(Promise.resolved($0)) }),
    ("a cancelled child", { promise in cancelling(promise.then { $0 }) }),
    ("a child of a catch", { promise in cancelling(promise.catch { _ in 0 }.then { $0 }) }),
    ("a child that is settled by hand", { promise in settling(promise.then { $0 }) }),
    ("a follower that is released", { releasing($0.follower()) }),
    (
      "a race that is decided later",
      { promise in
        let winner = Promise()
        let race = Promise.race([winner, promise])
        return { winner.fulfill(race.isPending) }
      }
    ),
    ("a race that is cancelled", { cancelling(Promise.race([$0, Promise()])) }),
    ("a combinator that is cancelled", { cancelling(Promise.all([$0])) }),
    ("a combinator that is released", { releasing(Promise.all([$0])) }),
    ("an iteration that is released", { releasing(Promise.results(of: [$0])) }),
    ("a sequence", { promise in settling(Promise.sequence([1], on: .immediate) { _ in promise }) }),
    ("a loop", { promise in settling(Promise.repeat(on: .immediate) { promise }) }),
    ("a finally", { promise in cancelling(Promise.resolved(1, on: .immediate).finally { promise }) }),
  ]

  private static func cancelling(_ consumer: Promise) -> () -> Void { { consumer.cancel() } }
  private static func settling(_ consumer: Promise) -> () -> Void { { consumer.fulfill("by hand") } }

  private static func releasing(_ consumer: Any) -> () -> Void {
    var held = [consumer]
    return { held.removeAll() }
  }

  // Spec: C4.14, C4.15, C4.21, C5.2, C5.3, K5.6
  func testEachWayToLeave() {
    for (index, (name, come)) in ways.enumerated() {
      let (marked, first) = (Chain(), Failure("the first"))
      let leave = come(marked.end)
      marked.follower().cancel(first)
      marked.assertPending("one consumer is left: \(name)")
      leave()
      marked.assertCancelled(first, name)

      let wanted = Chain()
      come(wanted.end.cancelsWhenUnwanted())()
      wanted.assertCancelled(nil, "cancelled when unwanted: \(name)")

      let unmarked = Chain()
      come(unmarked.end)()
      if index > 0 { unmarked.assertPending("does not mark: \(name)") }
    }
  }

  // Spec: C4.15, C4.21, T1.3
  func testTheLastTaskIsCancelled() throws {
    for isMarked in [true, false] {
      let (chain, executor) = (Chain(), ManualTaskExecutor())
      if !isMarked { chain.end.cancelsWhenUnwanted() }
      let (task, outcome) = startReading(on: executor, { try await $0.value }, chain.end)
      executor.step()
      if isMarked { chain.follower().cancel() }
      chain.assertPending()
      task.cancel()
      chain.assertCancelled(nil, "marked: \(isMarked)")
      executor.step()
      XCTAssertTrue(try outcome.reason() is CancellationError)
    }
  }

  // Spec: C4.15, H2.5
  func testTheTimeOfTheLastThreadIsOver() throws {
    let watched = WaitedForContext()
    let root = Promise(on: watched)
    let end = root.then { $0 }
    let child = end.then { $0 }
    let (reason, outcome) = (Failure("the first"), TaskOutcome())
    end.follower().cancel(reason)
    guard end.isPending else { return XCTFail("the child is a consumer") }
    Thread.detachNewThread {
      outcome.finish(Result { try end.get(timeout: 0.5) })
      // On a busy machine, the time may be over before the wait has reported itself.
      watched.isWaitedFor.signal()
    }
    watched.isWaitedFor.wait("a thread that waits")
    child.cancel()
    guard case PromiseError.timeout = try outcome.reason() else { return XCTFail("\(try outcome.reason())") }
    XCTAssertTrue(try root.reason() as? Failure === reason)
    XCTAssertTrue(end.isCancelled)
  }

  // Spec: C4.15, K7.1
  func testTheLastTimerIsOver() throws {
    let (clock, reason) = (TestContext(), Failure("the first"))
    let root = Promise(on: clock)
    let end = root.then { $0 }
    let timed = end.setTimeout(10)
    let late = timed.then { $0 }
    end.follower().cancel(reason)
    clock.advance(by: 9)
    XCTAssertTrue(root.isPending && timed.isPending)
    clock.advance(by: 1)
    assertCancelled([root, end], reason)
    guard case PromiseError.timeout = try late.reason() else { return XCTFail("\(try late.reason())") }
    XCTAssertFalse(timed.isCancelled)
  }

  // Spec: C4.15, C4.16
  func testTheFirstReasonStays() {
    let (chain, first) = (Chain(), Failure("first"))
    let followers = (0..<3).map { _ in chain.follower() }
    followers[1].cancel(first)
    followers[0].cancel(Failure("second"))
    chain.assertPending()
    followers[2].cancel(Failure("third"))
    chain.assertCancelled(first)
    XCTAssertEqual(followers[2].reasonNow?.name, "third", "a follower keeps its own reason")

    // The first reason also stays if a child is cancelled last, with another reason.
    let (second, child) = (Chain(), Failure("child"))
    let kept = second.middle.then { $0 }
    second.follower().cancel(first)
    kept.cancel(child)
    second.assertCancelled(first)
  }

  // Spec: C4.21, C5.3
  func testACancelledChildMarksNothing() {
    let chain = Chain()
    let children = [
      chain.end.then { $0 }, chain.end.catch { _ in 0 }, chain.middle.then { $0 }, chain.root.then { $0 },
    ]
    for child in children { child.cancel() }
    XCTAssertTrue(children.allSatisfy(\.isCancelled))
    chain.assertPending("no consumer has withdrawn")
    chain.finish()
    XCTAssertEqual(try chain.end.value(), "value")
  }
}
