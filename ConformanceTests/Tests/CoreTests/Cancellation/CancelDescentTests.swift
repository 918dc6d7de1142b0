// A cancel of a settled promise cancels its pending descendants, and nothing else (C3, C5).

import Dispatch
import DynamicPromise
import XCTest

final class CancelDescentTests: XCTestCase {
  private let context = SteppedContext()
  private let failure = Failure()

  // Spec: C3.1
  func testCancelDoesNotChangeASettledPromise() throws {
    let value = Failure("used as a value")
    let fulfilled = Promise().fulfilled(with: value)
    fulfilled.cancel()
    XCTAssertEqual([fulfilled.isFulfilled, fulfilled.isRejected], [true, false])
    XCTAssertFalse(fulfilled.isCancelled)
    XCTAssertTrue(try fulfilled.result?.get() as? Failure === value)

    let reason = Failure()
    let rejected = Promise.rejected(reason)
    rejected.cancel(Failure("another"))
    XCTAssertEqual([rejected.isRejected, rejected.isCancelled], [true, false])
    XCTAssertTrue(rejected.reasonNow === reason)
  }

  // Spec: C3.2, C3.3
  func testCancelIncludesDescendantsOfDeallocatedPromises() throws {
    // Each level of the chain has a leaf. All leaves are cancelled, even below released levels.
    let levels = 4
    for kept in 0..<(1 << levels) {
      let context = SteppedContext()
      let root = Promise(on: context)
      var held: [Promise] = []
      var leaves: [Promise] = []
      do {
        var level = root
        for number in 0..<levels {
          level = level.then { _ in number }
          if kept & (1 << number) != 0 { held.append(level) }
          leaves.append(level.then { _ in Promise() })
        }
      }
      root.fulfill(0)
      context.drain()
      XCTAssertTrue(leaves.allSatisfy { $0.isPending })
      root.cancel()
      XCTAssertTrue(leaves.allSatisfy { $0.isCancelled }, "held: \(String(kept, radix: 2))")
      XCTAssertTrue(held.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: C3.5
  func testARunningHandlerIsNotInterruptedButItsResultIsIgnored() throws {
    let (started, goOn, returned, below) = (Event(), Event(), Event(), Counter())
    let (root, queue) = (Promise(), DispatchQueue(label: "handler"))
    let child = root.thenOn(queue) { _ in
      started.signal()
      goOn.wait("permission")
      returned.signal()
      return "too late"
    }
    child.thenOn(.immediate) { _ in below.increment() }
    root.fulfill(0)
    started.wait("start")
    root.cancel(failure)
    XCTAssertTrue(child.isCancelled, "the child is cancelled while its handler runs")
    goOn.signal()
    returned.wait("the end of the handler")
    queue.sync {}
    XCTAssertTrue(try child.reason() as? Failure === failure)
    XCTAssertEqual(below.value, 0)
  }

  // Spec: C3.7
  func testAThenAfterTheCancelOfASettledPromiseRuns() throws {
    let promise = context.settled(7)
    let before = promise.then { _ in Promise() }
    context.drain()
    promise.cancel()
    XCTAssertTrue(before.isCancelled)
    let after = promise.then { $0 as! Int + 1 }
    context.drain()
    XCTAssertEqual(try after.value(), 8)
    let rejected = Promise.rejected(failure)
    rejected.cancel()
    XCTAssertEqual(try rejected.catchOn(.immediate) { _ in "recovered" }.value(), "recovered")
  }

  // Spec: C3.2
  func testASecondCancelIncludesAChildThatAHandlerHasAdded() {
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

  // Spec: C3.4
  func testCancelIncludesAnUnretainedDescendantThatFollowsAnotherPromise() {
    for early in [true, false] {
      let root = Promise(on: .immediate)
      let (end, resolver) = Promise.pending()
      let outer = Promise()
      do {
        let between = root.then { _ in end }
        if early { outer.bind(between) }
        root.fulfill(0)
        if !early { outer.bind(between) }
        XCTAssertTrue(between.parent === root)
      }
      root.cancel()
      XCTAssertTrue(outer.isCancelled && resolver.isCancelled)
    }
  }
}
