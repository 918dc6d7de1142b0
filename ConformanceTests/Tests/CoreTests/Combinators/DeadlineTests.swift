// `Deadline`: several steps share the time (K16).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class DeadlineTests: XCTestCase {
  private let context = TestContext()

  // Spec: K16.1
  func testStepsShareTheTime() throws {
    let deadline = Deadline.after(10, on: context)
    let first = Promise(on: context)
    let second = Promise(on: context)
    let chain = first.timeout(deadline).then { _ in second.timeout(deadline) }
    context.advance(by: 6)
    first.fulfill(1)
    context.advance(by: 3)
    XCTAssertTrue(chain.isPending)
    XCTAssertFalse(deadline.isOver)
    context.advance(by: 1)
    XCTAssertTrue(deadline.isOver)
    guard case PromiseError.timeout = try chain.reason() else { return XCTFail("\(chain)") }
    XCTAssertTrue(second.isPending, "the timeout does not cancel its source")
  }

  // Spec: K16.2, K16.5
  func testADeadlineThatIsOverOrNeverElapses() throws {
    let source = Promise(on: context)
    for seconds in [0, -1, .nan] as [Double] {
      let deadline = Deadline.after(seconds, on: context)
      XCTAssertFalse(deadline.isOver)
      XCTAssertEqual(deadline.remaining, 0)
      context.advance(by: 0.001)
      XCTAssertTrue(deadline.isOver)
      XCTAssertTrue(source.timeout(deadline).isRejected, "the child is rejected at once")
      XCTAssertTrue(Promise.resolved(1).timeout(deadline).isFulfilled)
    }
    let child = source.timeout(.never)
    for deadline in [Deadline.never, .after(.infinity, on: context), .after(1e9, on: context)] {
      XCTAssertFalse(deadline.isOver)
      XCTAssertEqual(deadline.remaining, .infinity)
    }
    XCTAssertEqual(context.pendingTimers, 0)
    source.fulfill(1)
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: K16.3
  func testACancellingTimeoutWithADeadline() throws {
    let deadline = Deadline.after(10, on: context)
    let roots = (0..<3).map { _ in Promise(on: context) }
    let children = roots.map { $0.then { $0 }.timeout(deadline, cancelling: true) }
    children[0].cancel()
    XCTAssertTrue(roots[0].isCancelled)
    roots[1].fulfill(1)
    context.advance(by: 10)
    XCTAssertEqual(try children[1].value(), 1)
    XCTAssertTrue(roots[2].isCancelled)
    guard case PromiseError.timeout = try children[2].reason() else { return XCTFail("\(children[2])") }
    let late = Promise(on: context)
    _ = late.timeout(deadline, cancelling: true)
    XCTAssertTrue(late.isCancelled, "the deadline was over before the call")
  }

  // Spec: K16.4
  func testADeadlineHasOneTimerThatIsCancelled() {
    let source = Promise(on: context)
    do {
      let deadline = Deadline.after(10, on: context)
      let children = (0..<5).map { _ in source.timeout(deadline) }
      XCTAssertEqual(context.pendingTimers, 1)
      withExtendedLifetime((deadline, children)) {}
    }
    XCTAssertEqual(context.pendingTimers, 1, "steps wait for the deadline")
    source.fulfill(1)
    XCTAssertEqual(context.pendingTimers, 0)
  }

  // Spec: K16.5
  func testTheRemainingTime() {
    context.advance(by: 100)
    let deadline = Deadline.after(10, on: context)
    let copy = deadline
    XCTAssertEqual(deadline.remaining, 10)
    context.advance(by: 4)
    XCTAssertEqual([deadline, copy].map(\.remaining), [6, 6])
    let limited = Promise(on: context).setTimeout(deadline.remaining)
    context.advance(by: 6)
    XCTAssertEqual(deadline.remaining, 0)
    XCTAssertTrue(limited.isRejected)
    context.advance(by: 6)
    XCTAssertEqual(deadline.remaining, 0)
    let dropped = Deadline.after(10, on: context)
    context.dropAll()
    context.advance(by: 20)
    XCTAssertEqual(dropped.remaining, 0, "`remaining` needs no timer")
  }

  // Spec: K16.4
  func testTheClockMayDropTheJob() {
    let deadline = Deadline.after(10, on: context)
    let source = Promise(on: context)
    let child = source.timeout(deadline)
    context.dropAll()
    XCTAssertFalse(deadline.isOver)
    XCTAssertTrue(child.isPending)
    source.fulfill(1)
    XCTAssertTrue(child.isFulfilled)
  }
}
