// A cancel uses the mark `mayHavePending` to find pending promises. Handlers may have added these promises,
// or an earlier cancel may not have visited them yet.

import DynamicPromise
import XCTest

final class PendingMarkTests: XCTestCase {
  // Spec: C3.2
  func testASecondCancelFindsAChildThatWasAddedWhileHandlersRan() {
    let root = Promise(on: .immediate)
    let parent = root.then { $0 }
    let ran = Counter()
    root.fulfill(1)
    let late = Log<Promise>()
    parent.then { _ in
      root.cancel()
      let child = parent.then { _ in ran.increment() }
      late.append(child)
      root.cancel()
      XCTAssertTrue(child.isCancelled)
    }
    XCTAssertEqual(late.all.map(\.isCancelled), [true])
    XCTAssertEqual(ran.value, 0, "a cancelled child's handler does not run")
  }

  /// An outer call on this stack schedules the added child's handler later.
  // Spec: C3.2
  func testASecondCancelFindsAChildThatAContextHasAdded() {
    final class Calling: ExecutionContext, @unchecked Sendable {
      var body: () -> Void = {}
      func execute(_ job: @escaping @Sendable () -> Void) { body() }
    }
    let (context, stepped, root) = (Calling(), SteppedContext(), Promise(on: .immediate))
    let parent = root.then { $0 }
    let first = parent.thenOn(context) { $0 }
    let late = Log<Promise>()
    context.body = {
      first.cancel()
      root.cancel()
      late.append(parent.thenOn(stepped) { $0 })
      root.cancel()
    }
    root.fulfill(1)
    context.body = {}
    XCTAssertEqual(late.all.map(\.isCancelled), [true])
  }

  // Spec: K17.1
  func testATreeIsNotSettledWhileACleanUpWaitsForItsContext() {
    for isBelowAStep in [false, true] {
      for cancels in 1...2 {
        let context = SteppedContext()
        let root = Promise(on: .immediate)
        let start = isBelowAStep ? root.then { $0 } : root
        root.fulfill(1)
        let cleanUp = start.thenOn(context) { $0 }.catchOn(context) { _ in }
        for _ in 0..<cancels { root.cancel() }
        let settled = root.finished(on: .immediate)
        XCTAssertTrue(cleanUp.isPending && settled.isPending)
        context.drain()
        XCTAssertTrue(cleanUp.isSettled && settled.isFulfilled)
      }
    }
  }

  /// A cancel removes the mark from promises without pending descendants. A later cancel still finds
  /// descendants that were added in the meantime.
  // Spec: C3.2
  func testASecondCancelReachesWhatWasAddedSinceTheFirst() {
    let root = Promise(on: .immediate)
    root.fulfill(0)
    var chain = [root]
    for _ in 0..<5 { chain.append(chain[chain.count - 1].then { $0 }) }
    for _ in 0..<3 {
      let pending = chain.map { $0.then { _ in Promise() } }
      root.cancel()
      assertCancelled(pending)
    }
    let last = chain[5].then { _ in Promise() }
    root.cancel()
    XCTAssertTrue(last.isCancelled)
  }

  /// The clean-up may be scheduled while the cancel still visits other children, because the root has more
  /// children than one critical section reads.
  // Spec: C2.1
  func testCleanUpBesideManyChildrenThatFollow() {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let others = (0..<200).map { _ in root.then { $0 } }
    for other in others { other.resolve(Promise()) }
    let cleaned = Counter()
    let cleanUp = root.catchOn(context) { _ in cleaned.increment() }
    root.cancel()
    assertCancelled(others)
    XCTAssertTrue(cleanUp.isPending)
    context.drain()
    XCTAssertEqual(cleaned.value, 1)
    XCTAssertTrue(cleanUp.isCancelled)
  }

  /// Two threads cancel at the same time. Both calls return after every pending promise below is cancelled.
  // Spec: C3.2
  func testCancelAgainstCancel() {
    race(lanes: 2, rounds: 4_000) { _ in
      let root = Promise(on: .immediate)
      var last = root
      for _ in 0..<4 { last = last.then { $0 } }
      root.fulfill(0)
      let pending = last.then { _ in Promise() }
      let cancel: RaceTrack.Part = {
        root.cancel()
        XCTAssertTrue(pending.isCancelled)
      }
      return ([cancel, cancel], {})
    }
  }
}
