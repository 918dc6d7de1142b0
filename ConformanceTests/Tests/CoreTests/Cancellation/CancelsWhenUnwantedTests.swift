// `cancelsWhenUnwanted()` cancels a promise when its last consumer leaves (C4.21 to C4.23).

import DynamicPromise
import XCTest

final class CancelsWhenUnwantedTests: XCTestCase {
  private let context = SteppedContext()
  private let failure = Failure()

  /// Makes a promise with `cancelsWhenUnwanted()`, its resolver, and a log of its cancel hook.
  private func wanted() -> (promise: Promise, resolver: Resolver, heard: Log<any Error>) {
    let (promise, resolver) = Promise.pending(on: context)
    let heard = Log<any Error>()
    resolver.onCancel { heard.append($0) }
    return (promise.cancelsWhenUnwanted(), resolver, heard)
  }

  // Spec: C4.21, C4.23
  func testThePromiseIsCancelledWithTheLastChild() {
    let (promise, resolver, heard) = wanted()
    let children = (0..<3).map { _ in promise.then { $0 } }
    children[1].cancel()
    children[0].cancel()
    XCTAssertTrue(promise.isPending)
    XCTAssertEqual(heard.count, 0)
    children[2].cancel(failure)
    XCTAssertTrue(promise.isCancelled && resolver.isCancelled)
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure], "the reason is that of the last child")
  }

  // Spec: C4.21
  func testThePromiseIsCancelledWhenTheLastWaitTimesOut() {
    let (promise, resolver, heard) = wanted()
    _ = try? promise.get(timeout: 0.01)
    XCTAssertTrue(promise.isCancelled && resolver.isCancelled)
    XCTAssertEqual(heard.all.map { $0 is CancellationError }, [true])
  }

  // Spec: C4.22
  func testAPromiseThatHasHadNoConsumerContinues() {
    let (promise, resolver, heard) = wanted()
    let others = [promise.catch { _ in 0 }, promise.finally {}, promise.setTimeout(100), promise.delay(1)]
    promise.onSuccess { _ in }
    _ = Promise.race([1, promise])
    for other in others { other.cancel() }
    XCTAssertTrue(promise.isPending, "the promise has had no consumer")
    XCTAssertEqual(heard.count, 0)
    resolver.fulfill(1)
    XCTAssertTrue(promise.isFulfilled)
  }

  // Spec: C4.22
  func testOnlyConsumersAfterTheCallCount() {
    let (promise, resolver) = Promise.pending(on: context)
    promise.then { $0 }.cancel()
    promise.cancelsWhenUnwanted()
    XCTAssertTrue(promise.isPending, "only later consumers count")
    promise.then { $0 }.cancel()
    XCTAssertTrue(promise.isCancelled)
    withExtendedLifetime(resolver) {}

    let settled = Promise.resolved(1).cancelsWhenUnwanted()
    settled.then { $0 }.cancel()
    XCTAssertTrue(settled.isFulfilled)
  }

  // Spec: C4.23
  func testAShieldedPromiseContinues() {
    let shield = Promise(on: context).shielded().cancelsWhenUnwanted()
    shield.then { $0 }.cancel()
    XCTAssertTrue(shield.isPending)
  }
}
