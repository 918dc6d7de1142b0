// Races in which one thread acts between two steps of another thread's transition.

import DynamicPromise
import XCTest

final class ShortWindowRaceTests: XCTestCase {
  // Spec: A4.6
  func testAdopterThatPassesAPromiseWhoseTargetAdopts() {
    // `adopter` skips `first` and follows `second`, while `second` passes its followers on to `end`.
    race(lanes: 2, rounds: 3000) { round in
      let (adopter, first, second, end) = (Promise(), Promise(), Promise(), Promise())
      first.bind(second)
      return racing([{ adopter.bind(first) }, { second.bind(end) }]) {
        end.fulfill(round)
        XCTAssertTrue(adopter.isFulfilled, "round \(round): a lost wake-up")
      }
    }
  }

  // Spec: A4.6, C2.6, C3.2, C4.8
  func testCancelOfTheParentAgainstSettlingOrBindOfAChildByHand() {
    // The grandchild is a pending descendant whichever call comes first, because `end` stays pending.
    race(lanes: 2, rounds: 6000) { round in
      let isBound = round % 2 == 0
      let parent = Promise()
      let child = parent.thenOn(.immediate) { 1 }
      let end = Promise()
      let grandchild = child.thenOn(.immediate) { _ in end }
      return racing([{ if isBound { child.bind(end) } else { child.fulfill(1) } }, { parent.cancel() }]) {
        XCTAssertTrue(grandchild.isCancelled, "round \(round): the cancel missed the grandchild")
        guard isBound else { return }
        XCTAssertTrue(child.isCancelled, "round \(round): the cancel missed the child")
        XCTAssertTrue(end.isCancelled, "round \(round): the cancel was not forwarded")
      }
    }
  }

  // Spec: L1.3, A4.6
  func testAbandonHandlerAgainstRelease() {
    race(lanes: 2, rounds: 3000) { round in
      let (hold, resolver) = pendingHold()
      let heard = Counter()
      return racing([{ hold.drop() }, { resolver.onAbandon { heard.increment() } }]) {
        XCTAssertEqual(heard.value, 1, "round \(round)")
      }
    }
  }
}
