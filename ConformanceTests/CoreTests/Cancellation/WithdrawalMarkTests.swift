// A withdrawal marks a promise as unwanted. The promise is cancelled when its last consumer leaves
// (C4.15, C4.16).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class WithdrawalMarkTests: XCTestCase {
  /// Makes a chain that has one consumer left, the result of `consume`. Another consumer has withdrawn from
  /// the chain with `reason`.
  private func unwanted<Consumer>(
    file: StaticString = #filePath, line: UInt = #line, keptBy consume: (Chain) -> Consumer
  ) -> (chain: Chain, reason: Failure, consumer: Consumer) {
    let (chain, reason) = (Chain(), Failure("the first"))
    let consumer = consume(chain)
    chain.follower().cancel(reason)
    chain.assertPending("one consumer is left", file: file, line: line)
    return (chain, reason, consumer)
  }

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

  // Spec: C4.15, C4.14
  func testTheLastAdopterIsReleased() {
    let (chain, reason, hold) = unwanted { chain in Hold(chain.follower()) }
    hold.drop()
    chain.assertCancelled(reason, "a reference to the chain is no consumer")
  }

  // Spec: C4.15
  func testTheLastRaceIsDecided() {
    for isCancelled in [false, true] {
      let other = Promise()
      let (chain, reason, race) = unwanted { chain in Promise.race([chain.end, other]) }
      if isCancelled { race.cancel() } else { other.fulfill(1) }
      chain.assertCancelled(reason, "cancelled: \(isCancelled)")
      XCTAssertTrue(isCancelled == other.isPending, "a race does not mark its inputs as unwanted")
    }
    let (chain, reason, hold) = unwanted { chain in Hold(Promise.all([chain.end])) }
    hold.drop()
    chain.assertCancelled(reason, "a freed combinator is no consumer")
  }

  // Spec: C4.15, T1.3
  func testTheLastTaskIsCancelled() throws {
    let executor = ManualTaskExecutor()
    let (chain, reason, reader) = unwanted { chain in
      defer { executor.step() }
      return startReading(on: executor, { try await $0.value }, chain.end)
    }
    reader.task.cancel()
    chain.assertCancelled(reason)
    executor.step()
    XCTAssertTrue(try reader.outcome.reason() is CancellationError)
  }

  // Spec: C4.15, T3.3
  func testTheLastIterationEnds() {
    var (chain, reason, results): (Chain, Failure, Promise.Results?) = unwanted { chain in
      Promise.results(of: [chain.end])
    }
    XCTAssertNotNil(results)
    results = nil
    chain.assertCancelled(reason)
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
    Thread.detachNewThread { outcome.finish(Result { try end.get(timeout: 0.5) }) }
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

  // Spec: C4.15, K5.6
  func testTheLastSeriesIsSettledByHand() {
    for isLoop in [false, true] {
      func series(_ chain: Chain) -> Promise {
        let made =
          isLoop
          ? Promise.repeat(on: chain.context) { chain.end }
          : Promise.sequence([1], on: chain.context) { _ in chain.end }
        chain.context.drain()
        return made
      }
      let (chain, reason, last) = unwanted(keptBy: series)
      last.fulfill("by hand")
      chain.assertCancelled(reason, "a loop: \(isLoop)")

      let second = Chain()
      let decided = series(second)
      decided.fulfill("by hand")
      second.assertPending("a series that is settled by hand marks no promise")
    }
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
