// `timeout(_:cancelling:)` can also cancel a promise that is too slow. A `Duration` has the same effect as
// seconds.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class CancellingTimeoutTests: XCTestCase {
  private let context = TestContext()

  // Spec: K7.11
  func testCancelsTheChainWhoseEndItFollows() throws {
    let root = Promise(on: context)
    let chain = root.then { $0 }.then { $0 }
    let child = chain.timeout(10, cancelling: true)
    let waiter = child.then({ _ in "value" }, { "\($0)" })
    XCTAssertNil(child.parent)
    context.advance(by: 9)
    XCTAssertTrue(child.isPending && root.isPending)
    context.advance(by: 1)
    guard case PromiseError.timeout = try child.reason() else { return XCTFail("\(child)") }
    XCTAssertFalse(child.isCancelled)
    XCTAssertTrue(chain.isCancelled && root.isCancelled)
    XCTAssertTrue(try root.reason() is CancellationError)
    XCTAssertEqual(try waiter.value(), "timed out", "the result reports the timeout, not the cancel")
  }

  // Spec: K7.11
  func testAnotherConsumerUsesIt() {
    let source = Promise(on: context)
    let other = source.then { $0 }
    let child = source.timeout(10, cancelling: true)
    context.advance(by: 10)
    XCTAssertTrue(child.isRejected)
    XCTAssertTrue(source.isPending)
    // The source is cancelled when the last consumer leaves, because the source is marked as unwanted.
    other.cancel()
    XCTAssertTrue(source.isCancelled)
  }

  // Spec: K7.11, K7.12
  func testASourceThatHasSettledBefore() throws {
    let source = Promise(on: TestContext())
    source.cancel()
    let result = source.timeout(10, cancelling: true)
    XCTAssertTrue(result.isRejected)
    XCTAssertNil(result.parent)
    let recovered = result.catchOn(.immediate) { _ in "recovered" }
    XCTAssertEqual(try recovered.value(), "recovered", "the result is not cancelled by request")
  }

  // Spec: K7.12
  func testWhateverSettlesTheChildFirst() throws {
    let failure = Failure()
    let ends: [(Promise) -> Void] = [{ $0.cancel(failure) }, { $0.fulfill(1) }, { $0.reject(failure) }]
    for (index, end) in ends.enumerated() {
      let source = Promise(on: context)
      end(source.timeout(10, cancelling: true))
      XCTAssertTrue(source.isCancelled)
      let reason = try source.reason()
      XCTAssertTrue(index == 0 ? reason as? Failure === failure : reason is CancellationError)
    }
    XCTAssertEqual(context.pendingTimers, 0)
  }

  // Spec: K7.12
  func testInTimeNothingIsCancelled() throws {
    let root = Promise(on: context)
    let source = root.then { $0 }
    let below = source.then { _ in Promise() }
    let child = source.timeout(10, cancelling: true)
    root.fulfill("in time")
    context.drain()
    XCTAssertEqual(try child.value(), "in time")
    child.cancel()
    XCTAssertTrue(below.isPending)
    XCTAssertFalse(source.isCancelled)
    XCTAssertEqual(context.pendingTimers, 0)
    let failing = Promise(on: context)
    let rejected = failing.timeout(10, cancelling: true)
    failing.cancel()
    XCTAssertTrue(rejected.isCancelled)
    XCTAssertTrue(Promise.resolved(1, on: context).timeout(0, cancelling: true).isFulfilled)
    XCTAssertEqual(context.pendingTimers, 0)
  }

  // Spec: K7.12
  func testTheTaskIsCancelledIfNothingRetainsTheSource() {
    let source = Unretained(on: context) { $0.timeout(10, cancelling: true).catch { _ in 0 } }
    XCTAssertEqual(source.cancellations + source.abandonments, 0)
    context.advance(by: 10)
    XCTAssertEqual(source.cancellations, 1, "the task is cancelled, not only released")
    XCTAssertEqual(source.abandonments, 0)
  }

  // Spec: K7.11, K7.18
  func testAnErrorOfOnesOwn() throws {
    let failure = Failure("slow")
    let source = Promise(on: context)
    let deadline = Deadline.after(1, on: context)
    let limited = [
      source.setTimeout(1, error: failure), source.setTimeout(.seconds(1), error: failure),
      source.timeout(1, error: failure), source.timeout(.seconds(1), error: failure),
      source.timeout(deadline, error: failure),
    ]
    let cancelling = Promise(on: context)
    let stopped = cancelling.timeout(1, cancelling: true, error: failure)
    context.advance(by: 1)
    for child in limited + [stopped] { XCTAssertTrue(try child.reason() as? Failure === failure) }
    XCTAssertTrue(source.isPending && cancelling.isCancelled)
    XCTAssertTrue(try source.timeout(deadline, error: failure).reason() as? Failure === failure)
    XCTAssertEqual(try Promise.resolved(1, on: context).setTimeout(1, error: failure).value(), 1)
  }

  // Spec: K7.13
  func testDurations() throws {
    let source = Promise(on: context)
    let children = [
      source.setTimeout(.seconds(2)), source.setTimeout(2), source.timeout(.milliseconds(2000)),
      source.timeout(2.0, cancelling: false), Promise.delay(.seconds(1) * 2, "later", on: context),
      Promise.resolved("step", on: context).delay(.seconds(2)),
    ]
    context.drain()
    XCTAssertEqual(context.nextTimer, 2)
    context.advance(by: .milliseconds(1999))
    XCTAssertTrue(children.allSatisfy(\.isPending))
    context.advance(by: .milliseconds(2))
    XCTAssertTrue(children.allSatisfy(\.isSettled))
    XCTAssertEqual(try children[4].value(), "later")
    XCTAssertEqual(try children[5].value(), "step")
    // The compiler prefers `Double` seconds to a `Duration` here.
    XCTAssertTrue(source.setTimeout(.zero).isPending && source.setTimeout(.infinity).isPending)
    let whole = 3
    XCTAssertTrue(source.setTimeout(Double(whole)).isPending)
    context.advance(by: .infinity)

    XCTAssertEqual(try Promise.resolved(1).get(timeout: .seconds(1)) as? Int, 1)
    XCTAssertEqual(try Promise.resolved(1).get(as: Int.self, timeout: .seconds(1)), 1)
    XCTAssertThrowsError(try Promise().get(timeout: .milliseconds(1)))
    XCTAssertThrowsError(try Promise().get(timeout: .zero))
    XCTAssertThrowsError(try Promise().get(as: Int.self, timeout: .milliseconds(1)))
    XCTAssertFalse(context.waitForJob(timeout: .milliseconds(1)))
    XCTAssertEqual(try Promise.delay(.milliseconds(1), 1).get(timeout: 20) as? Int, 1)
  }

  // Spec: K7.13
  func testLongAndNegativeDurations() {
    let source = Promise(on: context)
    let never = source.setTimeout(.seconds(Int64.max))
    XCTAssertEqual(context.pendingTimers, 0)
    let now = source.setTimeout(.seconds(-1))
    context.advance(by: .nanoseconds(1))
    XCTAssertTrue(now.isRejected && never.isPending)
  }
}
