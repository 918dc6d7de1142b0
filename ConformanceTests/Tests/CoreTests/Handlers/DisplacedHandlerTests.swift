// A child is resolved by hand before its handler has run. This handler and the handlers of later siblings
// still run with the parent's outcome.

import DynamicPromise
import XCTest

final class DisplacedHandlerTests: XCTestCase {
  private let log = Log<String>()

  /// Cancels a root with two children whose handlers run in place. Calls `meddle` with the first child before
  /// that child's handler starts.
  private func cancelRoot(meddlingWith meddle: @escaping @Sendable (Promise) -> Void) -> (Promise, Promise) {
    let root = Promise(on: .immediate)
    let first = root.catch { [log] _ in log.append("first") }
    let second = root.catch { [log] _ in log.append("second") }
    let (follower, resolver) = Promise.pending()
    follower.bind(root)
    resolver.onCancel { [log] _ in
      log.append("meddling")
      meddle(first)
    }
    root.cancel()
    return (first, second)
  }

  // Spec: 2.2.3.1, A4.1
  func testSettledByHandBeforeItStartsInPlace() {
    let (first, second) = cancelRoot { $0.fulfill("by hand") }
    XCTAssertEqual(log.all, ["meddling", "first", "second"])
    XCTAssertEqual(try first.value(), "by hand")
    XCTAssertTrue(second.isCancelled)
  }

  // Spec: L3.5
  func testWhatItReturnsIsFreedWithIt() {
    let live = LiveCount()
    let value: @Sendable (Any) -> Any = { _ in live.make() }
    let error: @Sendable (Any) throws -> Void = { _ in throw Holding(live.make()) }
    for fails in [false, true] {
      for isScheduled in [false, true] {
        for way in 0..<4 {
          let (context, other) = (SteppedContext(), Promise(on: .immediate))
          let root = Promise(on: context)
          let child = fails ? root.then(error) : root.then(value)
          if isScheduled { root.fulfill(0) }
          if way == 0 { child.fulfill(1) } else { child.bind(other) }
          if way == 1 { other.fulfill(1) }
          if !isScheduled { root.fulfill(0) }
          context.drain()
          if way == 2 { other.fulfill(1) }
          if way == 3 { child.cancel() }
          XCTAssertEqual(live.count, 0, "fails: \(fails), isScheduled: \(isScheduled), \(way)")
          withExtendedLifetime((root, child)) {}
        }
      }
    }
    XCTAssertEqual(live.peak, 1, "each handler has run")
  }

  // Spec: A4.1
  func testOneThatIsFollowedIsBoundByItsOwnHandlerInPlace() {
    let (root, other, follower) = (Promise(on: .immediate), Promise(), Promise())
    let children = Log<Promise>()
    let log = Log<String>()
    children.append(root.then { _ in children.all[0].bind(other) })
    follower.bind(children.all[0])
    root.then { log.append("its sibling") }
    root.fulfill(1)
    XCTAssertEqual(log.all, ["its sibling"])
    other.fulfill(2)
    XCTAssertEqual(try? follower.value(), 2)
  }

  // Spec: A4.1, C9.1
  func testResolvedByHandAndCancelledBeforeItStartsInPlace() {
    let (first, second) = cancelRoot {
      $0.bind(Promise())
      $0.cancel(Failure())
    }
    XCTAssertEqual(log.all, ["meddling", "second"], "the siblings of the withdrawn handler still run")
    XCTAssertTrue(first.isCancelled && second.isCancelled)
  }

  // Spec: C9.1
  func testALoserThatIsTheWinnersSiblingIsCancelledBeforeItStartsInPlace() {
    let root = Promise(on: .immediate)
    let children = (0..<3).map { number in root.then { [log] _ in log.append("\(number)") } }
    let race = Promise.race(children, cancellingInputs: true)
    root.fulfill(1)
    XCTAssertEqual(log.all, ["0"], "the handler of a cancelled loser is not called")
    XCTAssertTrue(race.isFulfilled && children[1].isCancelled && children[2].isCancelled)
  }

  // Spec: C9.1
  func testALoserBelowOneThatFollowsTheWinnerIsCancelledBeforeItStartsInPlace() {
    let winner = Promise(on: .immediate)
    let follower = winner.follower()
    let loser = follower.then { [log] _ in log.append("loser") }
    let race = Promise.race([winner, loser], cancellingInputs: true)
    winner.fulfill(1)
    XCTAssertEqual(log.all, [], "the race cancels the loser before its handler runs")
    XCTAssertTrue(race.isFulfilled && follower.isFulfilled && loser.isCancelled)
  }

  // Spec: 2.2.2.1, A4.1
  func testSettledByHandWhileItWaits() {
    let root = Promise(on: .immediate)
    let children = (0..<3).map { number in
      root.then { [log] _ in
        log.append("\(number)")
        return number
      }
    }
    children[1].fulfill("by hand")
    root.fulfill(0)
    XCTAssertEqual(log.all, ["0", "1", "2"])
    XCTAssertEqual(try children[1].value(), "by hand")
    XCTAssertEqual(try children[2].value(), 2)
  }

  // Spec: 2.2.2.1, H11.1
  func testSettledByHandWhileItWaitsInItsContext() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let child = root.then { [log] _ in log.append("handler") }
    root.fulfill(0)
    XCTAssertTrue(child.fulfill("by hand"))
    XCTAssertEqual(log.all, [])
    context.drain()
    XCTAssertFalse(child.fulfill("again"))
    XCTAssertEqual(log.all, ["handler"])
    XCTAssertEqual(try child.value(), "by hand")
  }
}
