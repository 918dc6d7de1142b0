// `retry` (K15).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class RetryTests: XCTestCase {
  // Spec: K15.1
  func testRetryEndsWithTheFirstSuccessfulAttempt() throws {
    let attempts = Log<Int>()
    let result = Promise.retry(5, on: .immediate) { attempt -> Any in
      attempts.append(attempt)
      if attempt == 1 { throw Failure() }
      if attempt == 2 { return Failure() }
      return attempt == 3 ? Promise.rejected(Failure()) : "value"
    }
    XCTAssertEqual(attempts.all, [1, 2, 3, 4])
    XCTAssertEqual(try result.value(), "value")
    XCTAssertEqual(try Promise.retry(1) { _ in Promise.delay(0.001, 7) }.value(), 7)
  }

  // Spec: K1.9, K15.2
  func testRetryIsRejectedWithTheLastError() throws {
    for (times, expected) in [(3, 3), (1, 1), (0, 1), (-5, 1), (Int.min, 1)] {
      let attempts = Counter()
      let result = Promise.retry(times, on: .immediate) { attempt -> Int in
        attempts.increment()
        throw Failure("\(attempt)")
      }
      XCTAssertEqual((try result.reason() as? Failure)?.name, "\(expected)")
      XCTAssertEqual(attempts.value, expected)
      XCTAssertFalse(result.isCancelled)
    }
  }

  // Spec: K15.3
  func testThePredicateReceivesTheError() throws {
    struct Passing: Error {}
    let (attempts, asked) = (Counter(), Log<any Error>())
    let predicate: @Sendable (any Error) -> Bool = {
      asked.append($0)
      return $0 is Passing
    }
    let result = Promise.retry(9, while: predicate, on: .immediate) { attempt -> Int in
      attempts.increment()
      if attempt < 3 { throw Passing() }
      throw Failure("for good")
    }
    XCTAssertEqual((try result.reason() as? Failure)?.name, "for good")
    XCTAssertEqual(attempts.value, 3)
    XCTAssertEqual(asked.count, 3)
    let thrown = Promise.retry(9, while: { _ in throw Passing() }, on: .immediate) { () -> Int in
      throw Failure()
    }
    XCTAssertTrue(try thrown.reason() is Passing)
    let once = Promise.retry(1, while: predicate, on: .immediate) { () -> Int in throw Passing() }
    XCTAssertTrue(once.isRejected)
    XCTAssertEqual(asked.count, 3, "the predicate is not called after the last attempt")
  }

  // Spec: K15.4
  func testTheDelaysBetweenAttempts() throws {
    func times(_ delay: RetryDelay) -> [Double] {
      let (context, log) = (TestContext(), Log<Double>())
      let result = Promise.retry(6, delay: delay, on: context) { _ -> Int in
        log.append(context.now)
        throw Failure()
      }
      context.advance(by: 1000)
      XCTAssertTrue(result.isRejected)
      XCTAssertEqual(context.pendingTimers, 0)
      let all = log.all
      return zip(all.dropFirst(), all).map { $0 - $1 }
    }
    XCTAssertEqual(times(0), [0, 0, 0, 0, 0])
    XCTAssertEqual(times(.constant(2)), [2, 2, 2, 2, 2])
    XCTAssertEqual(times(0.5), [0.5, 0.5, 0.5, 0.5, 0.5])
    XCTAssertEqual(times(.exponential(1)), [1, 2, 4, 8, 16])
    XCTAssertEqual(times(.exponential(1, factor: 3, ceiling: 10)), [1, 3, 9, 10, 10])
    XCTAssertEqual(
      times(RetryDelay { attempt, error in error is Failure ? Double(attempt) : 99 }), [1, 2, 3, 4, 5])
    XCTAssertEqual(
      times(RetryDelay { attempt, _ in [.nan, -1, 0, -.infinity, 1][attempt - 1] }), [0, 0, 0, 0, 1])
    for jitter in [0.5, 1, 7, -1, .nan] {
      let share = jitter > 0 ? min(jitter, 1) : 0
      for (delay, full) in zip(times(.exponential(1, jitter: jitter)), [1.0, 2, 4, 8, 16]) {
        XCTAssertLessThanOrEqual(delay, full + 1e-9)
        XCTAssertGreaterThanOrEqual(delay, full * (1 - share) - 1e-9)
      }
    }
    XCTAssertGreaterThan(
      Set((0..<20).flatMap { _ in times(.exponential(1, jitter: 1)) }).count, 50, "the jitter is random")
  }

  // Spec: K15.4
  func testADelayMayThrowOrNeverEnd() throws {
    let failure = Failure("delay")
    let thrown = Promise.retry(3, delay: RetryDelay { _, _ -> Double in throw failure }, on: .immediate) {
      () -> Int in throw Failure()
    }
    XCTAssertTrue(try thrown.reason() as? Failure === failure)
    let context = TestContext()
    let never = Promise.retry(3, delay: .constant(.infinity), on: context) { () -> Int in throw Failure() }
    context.advance(by: .infinity)
    XCTAssertTrue(never.isPending)
    never.cancel()
  }

  // Spec: K15.5
  func testACancelDuringTheDelayCancelsTheTimer() {
    let (context, attempts) = (TestContext(), Counter())
    let result = Promise.retry(5, delay: .constant(3600), on: context) { () -> Int in
      attempts.increment()
      throw Failure()
    }
    context.drain()
    XCTAssertEqual(context.pendingTimers, 1)
    XCTAssertTrue(result.isPending)
    result.cancel()
    XCTAssertTrue(result.isCancelled)
    XCTAssertEqual(context.pendingTimers, 0, "the timer is cancelled")
    context.advance(by: 10_000)
    XCTAssertEqual(attempts.value, 1)
  }

  // Spec: K15.6
  func testACancellationIsNotTriedAgain() throws {
    let attempts = Counter()
    let errors: [any Error] = [CancellationError(), PromiseError.cancelled(reason: "enough")]
    for error in errors {
      let result = Promise.retry(5, while: { _ in true }, on: .immediate) { () -> Int in
        attempts.increment()
        throw error
      }
      XCTAssertTrue(try result.reason().isCancellation)
    }
    XCTAssertEqual(attempts.value, 2)
  }

  /// The reason of a cancel need not be an error that means a cancellation.
  // Spec: K15.6
  func testACancelledAttemptIsTheLastWithAnyReason() throws {
    let (attempts, asked, root) = (Counter(), Counter(), Promise(on: .immediate))
    let predicate: @Sendable (any Error) -> Bool = { _ in
      asked.increment()
      return true
    }
    let result = Promise.retry(5, while: predicate, on: .immediate) { () -> Promise in
      attempts.increment()
      return root.catch { _ in }
    }
    root.cancel(Failure("enough"))
    XCTAssertEqual((try result.reason() as? Failure)?.name, "enough")
    XCTAssertEqual([attempts.value, asked.value], [1, 0])
    XCTAssertFalse(result.isCancelled)
  }

  // Spec: K15.7
  func testAttemptsAndPredicatesRunOnTheContext() {
    let (context, ran) = (TestContext(), Counter())
    let predicate: @Sendable (any Error) -> Bool = { _ in
      ran.increment()
      return true
    }
    let result = Promise.retry(2, while: predicate, on: context) { attempt in
      ran.increment()
      if attempt == 1 { throw Failure() }
    }
    result.then { _ in ran.increment() }
    XCTAssertEqual(ran.value, 0)
    var steps = 0
    while context.step() { steps += 1 }
    XCTAssertEqual(steps, 4, "attempt, predicate, attempt and handler are separate jobs")
    XCTAssertEqual(ran.value, 4)
  }

  // Spec: K15.8
  func testManyAttemptsNeedNeitherStackNorMemory() {
    onSmallStack {
      for context in [.immediate, .shared] as [any ExecutionContext] {
        let alive = LiveCount()
        let result = Promise.retry(manyInputs / 4, delay: .exponential(0), on: context) { attempt -> Any in
          let error = Holding(alive.make())
          return attempt % 2 == 0 ? error : Promise.rejected(error)
        }
        XCTAssertTrue(try result.reason() is Holding)
        XCTAssertLessThan(alive.peak, 10)
      }
    }
  }
}
