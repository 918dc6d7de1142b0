// The mark "something pending is below": a cancel finds what was added while a parent's handlers ran, and
// what an earlier cancel has not reached yet.

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

  /// It is only appended, because this stack schedules the promise's handlers.
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
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    root.fulfill(1)
    let cleanUp = root.thenOn(context) { $0 }.catchOn(context) { _ in }
    root.cancel()
    let settled = root.finished(on: .immediate)
    XCTAssertTrue(cleanUp.isPending)
    XCTAssertTrue(settled.isPending)
    context.drain()
    XCTAssertTrue(cleanUp.isSettled)
    XCTAssertTrue(settled.isFulfilled)
  }

  // Spec: K17.1
  func testNorAfterTwoCancels() {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let step = root.then { $0 }
    root.fulfill(1)
    let cleanUp = step.thenOn(context) { $0 }.catchOn(context) { _ in }
    root.cancel()
    root.cancel()
    let settled = root.finished(on: .immediate)
    XCTAssertTrue(settled.isPending)
    context.drain()
    XCTAssertTrue(cleanUp.isSettled)
    XCTAssertTrue(settled.isFulfilled)
  }

  /// More children than one critical section takes, so that the handlers of some are scheduled while the
  /// cancel still runs.
  // Spec: C2.1
  func testCleanUpBesideManyChildrenThatFollow() {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let others = (0..<200).map { _ in root.then { $0 } }
    for other in others { other.resolve(Promise()) }
    let cleaned = Counter()
    let cleanUp = root.catchOn(context) { _ in cleaned.increment() }
    root.cancel()
    XCTAssertTrue(others.allSatisfy(\.isCancelled))
    XCTAssertTrue(cleanUp.isPending)
    context.drain()
    XCTAssertEqual(cleaned.value, 1)
    XCTAssertTrue(cleanUp.isCancelled)
  }

  /// Of two threads that cancel, neither returns before every pending promise below is cancelled.
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
