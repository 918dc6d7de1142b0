// What becomes of the jobs that a context is given.

import Dispatch
import DynamicPromise
import XCTest

final class JobTests: XCTestCase {
  // Spec: X3.6
  func testDroppedJobBreaksItsChild() throws {
    let context = SteppedContext()
    let freed = Counter()
    let child: Promise
    do {
      let canary = Canary { freed.increment() }
      child = Promise.resolved(1).thenOn(context) { _ in withExtendedLifetime(canary) {} }
    }
    XCTAssertTrue(child.isPending)
    context.dropAll()
    guard case PromiseError.broken = try child.reason() else { return XCTFail() }
    XCTAssertEqual(freed.value, 1)

    // A child that was cancelled before stays cancelled.
    let cancelled = Promise.resolved(1).thenOn(context) { _ in }
    cancelled.cancel()
    context.dropAll()
    XCTAssertTrue(cancelled.isCancelled)

    // A child that was settled by hand keeps its value, although the job is still that of its handler.
    let settled = Promise.resolved(1).thenOn(context) { _ in }
    settled.fulfill(2)
    context.dropAll()
    XCTAssertEqual(try settled.value(), 2)
  }

  /// Clean-up below a cancel: the request continues below it, with another reason.
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
    XCTAssertEqual(ran.value, 0, "no fulfilment handler runs below a cancel")
  }

  // Spec: X3.7
  func testSecondRunOfAJobIsIgnored() throws {
    let runs = Counter()
    let child = Promise.resolved(1).thenOn(TwiceContext()) { _ in
      runs.increment()
      return runs.value
    }
    XCTAssertEqual(try child.value(), 1)
    XCTAssertEqual(runs.value, 1)

    // Also when the second run comes while the first one is under way, on another thread.
    let context = SteppedContext()
    let entered = Event()
    let goOn = Event()
    let slow = Promise.resolved(1).thenOn(KeepingContext(context)) { _ in
      runs.increment()
      entered.signal()
      goOn.wait()
    }
    let first = Event()
    DispatchQueue.global().async {
      context.step()
      first.signal()
    }
    entered.wait()
    context.drain()
    goOn.signal()
    first.wait()
    XCTAssertTrue(slow.isFulfilled)
    XCTAssertEqual(runs.value, 2)
  }

  // Spec: X3.7, C9.4
  func testSecondRunOfAClosureWhoseChildWasCancelledIsIgnored() {
    let context = SteppedContext()
    let runs = Counter()
    let child = Promise().finallyOn(KeepingContext(context)) { runs.increment() }
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

/// Runs each job twice.
private struct TwiceContext: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async {
      job()
      job()
    }
  }
}

/// Gives each job to another context twice.
private struct KeepingContext: ExecutionContext {
  let context: SteppedContext

  init(_ context: SteppedContext) { self.context = context }

  func execute(_ job: @escaping @Sendable () -> Void) {
    context.execute(job)
    context.execute(job)
  }
}
