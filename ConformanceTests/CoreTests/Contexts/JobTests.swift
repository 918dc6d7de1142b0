// Tests of contexts that drop jobs, run jobs twice, or run jobs after the child has settled.

import Dispatch
import DynamicPromise
import XCTest

final class JobTests: XCTestCase {
  // Spec: X3.6
  func testADroppedJobOfASettledChildChangesNothing() throws {
    let context = SteppedContext()
    let cancelled = Promise.resolved(1).thenOn(context) { _ in }
    cancelled.cancel()
    // The handler of this child is still scheduled, although the child is settled by hand.
    let settled = Promise.resolved(1).thenOn(context) { _ in }
    settled.fulfill(2)
    context.dropAll()
    XCTAssertTrue(cancelled.isCancelled)
    XCTAssertEqual(try settled.value(), 2)
  }

  /// A cancel also cancels a child whose clean-up the context drops, and the child's descendants.
  // Spec: X3.6, C2.7
  func testDroppedCleanUpIsCancelledAllTheSame() throws {
    let context = SteppedContext()
    let root = Promise(on: .immediate)
    let cleanUp = root.catchOn(context) { _ in }
    let ran = Counter()
    cleanUp.catch { _ in }.then { _ in ran.increment() }
    root.cancel()
    XCTAssertTrue(cleanUp.isPending)
    context.dropAll()
    guard case PromiseError.broken = try cleanUp.reason() else { return XCTFail() }
    XCTAssertEqual(ran.value, 0, "no fulfillment handler runs below a cancel")
  }

  // Spec: X3.7
  func testASecondRunDuringTheFirstIsIgnored() {
    let (context, runs) = (SteppedContext(), Counter())
    let (entered, goOn, first) = (Event(), Event(), Event())
    let child = Promise.resolved(1).thenOn(DoublingContext(context)) { _ in
      runs.increment()
      entered.signal()
      goOn.wait()
    }
    DispatchQueue.global().async {
      context.step()
      first.signal()
    }
    entered.wait()
    context.drain()
    goOn.signal()
    first.wait()
    XCTAssertTrue(child.isFulfilled)
    XCTAssertEqual(runs.value, 1)
  }

  // Spec: X3.7, C9.4
  func testSecondRunOfAClosureWhoseChildWasCancelledIsIgnored() {
    let (context, runs) = (SteppedContext(), Counter())
    let child = Promise().finallyOn(DoublingContext(context)) { runs.increment() }
    child.cancel()
    XCTAssertEqual(context.pendingJobs, 2)
    context.drain()
    XCTAssertEqual(runs.value, 1)
  }

  // Spec: 2.2.2.1
  func testHandlerOfAChildSettledByHandStillRuns() throws {
    let context = SteppedContext()
    for settlesEarly in [true, false] {
      let seen = Log<Int>()
      let root = Promise(on: context)
      let child = root.then { (value: Int) in seen.append(value) }
      if settlesEarly { child.fulfill("early") }
      root.fulfill(7)
      if !settlesEarly { child.fulfill("early") }
      context.drain()
      XCTAssertEqual(seen.all, [7])
      XCTAssertEqual(try child.value(), "early")
    }
  }
}
