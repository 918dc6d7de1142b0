// Awaiting a promise (T1).

import DynamicPromise
import TestSupport
import XCTest

/// A way in which a task waits for a promise.
typealias Reading = @Sendable (Promise) async throws -> Any

private let plain: Reading = { try await $0.value }
private let cancelling: Reading = { try await $0.cancellingValue }

/// Starts a task that waits for the promise.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
func startReading(
  on executor: (any TaskExecutor)? = nil, _ reading: @escaping Reading, _ promise: Promise
) -> (task: Task<Void, Never>, outcome: TaskOutcome) {
  let outcome = TaskOutcome()
  let task = Task(executorPreference: executor) {
    do { outcome.finish(.success(try await reading(promise))) } catch { outcome.finish(.failure(error)) }
  }
  return (task, outcome)
}

private final class Box {
  var number: Int
  init(_ number: Int) { self.number = number }
}

private actor Keeper {
  private var box: Box?

  func read(_ promise: Promise) async throws -> Int {
    #if compiler(>=6.2)
      box = try await promise.value as? Box
    #endif
    box = try await promise.cancellingValue(as: Box.self)
    return box?.number ?? 0
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class AwaitTests: XCTestCase {
  private let executor = ManualTaskExecutor()

  /// Starts a task, which begins to wait for the promise on this thread.
  private func begin(
    _ reading: @escaping Reading, _ promise: Promise
  ) -> (task: Task<Void, Never>, outcome: TaskOutcome) {
    defer { executor.step() }
    return startReading(on: executor, reading, promise)
  }

  // Spec: T1.1
  func testTheValueOfASettledPromise() throws {
    let failure = Failure()
    XCTAssertEqual(try begin(plain, .resolved(7)).outcome.value(), 7)
    XCTAssertTrue(try begin(plain, .rejected(failure)).outcome.reason() as? Failure === failure)
    let text = try begin(cancelling, .rejected("text")).outcome.reason()
    guard case PromiseError.rejected(let reason) = text else { return XCTFail("\(text)") }
    XCTAssertEqual(reason as? String, "text")
  }

  // Spec: T1.1, T1.2
  func testASuspendedTaskIsResumedWithTheOutcome() throws {
    for reading in [plain, cancelling] {
      let (fulfilled, rejected, cancelled) = (Promise(), Promise(), Promise())
      // Each task runs on this thread until it suspends. No thread is blocked.
      let outcomes = [fulfilled, rejected, cancelled].map { begin(reading, $0).outcome }
      XCTAssertEqual(executor.jobs.count, 0)
      XCTAssertFalse(outcomes.contains { $0.isThere })

      let failure = Failure("rejected")
      fulfilled.fulfill("value")
      rejected.reject(failure)
      cancelled.cancel("reason")
      for _ in outcomes { executor.step() }
      XCTAssertEqual(try outcomes[0].value(), "value")
      XCTAssertTrue(try outcomes[1].reason() as? Failure === failure)
      guard case PromiseError.cancelled? = try outcomes[2].reason() as? PromiseError else {
        return XCTFail("not cancelled")
      }
    }
  }

  // Spec: T1.3
  func testACancelledReaderThrowsAtOnceAndThePromiseContinues() throws {
    let (promise, resolver) = Promise.pending()
    let child = promise.then { $0 }
    let (leaving, left) = begin(plain, promise)
    let (_, staying) = begin(plain, promise)
    leaving.cancel()
    executor.step()
    XCTAssertTrue(try left.reason() is CancellationError)
    XCTAssertTrue(promise.isPending)
    XCTAssertFalse(resolver.isCancelled || staying.isThere)
    resolver.fulfill("value")
    executor.step()
    XCTAssertEqual(try staying.value(), "value")
    XCTAssertEqual(try child.value(), "value")
    XCTAssertEqual(executor.jobs.count, 0, "the cancelled reader is not resumed again")
  }

  // Spec: T1.4
  func testACancelledReaderRetainsNothing() throws {
    let abandoned = Counter()
    for isPreCancelled in [false, true] {
      let (promise, task, outcome) = {
        let promise = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
        let (task, outcome) = startReading(on: executor, plain, promise)
        return (WeakReference(promise), task, outcome)
      }()
      if isPreCancelled { task.cancel() }
      executor.step()
      if !isPreCancelled {
        XCTAssertNotNil(promise.object, "a waiting task retains its promise")
        task.cancel()
        executor.step()
      }
      XCTAssertTrue(try outcome.reason() is CancellationError)
      XCTAssertNil(promise.object)
    }
    XCTAssertEqual(abandoned.value, 2, "the promise of each round is abandoned")
  }

  // Spec: T1.5
  func testCancellingValueCancelsThePromise() throws {
    let heard = Log<any Error>()
    let root = Promise(onCancel: { heard.append($0) })
    let end = root.then { $0 }
    let (task, outcome) = begin(cancelling, end)
    task.cancel()
    XCTAssertTrue(root.isCancelled && end.isCancelled, "the promise is cancelled before the task continues")
    XCTAssertEqual(heard.all.map { $0 is CancellationError }, [true])
    executor.step()
    XCTAssertTrue(try outcome.reason() is CancellationError)
    XCTAssertEqual(executor.jobs.count, 0)
  }

  // Spec: T1.7
  func testTheFirstOfSettlingAndCancelDecides() throws {
    for reading in [plain, cancelling] {
      let (promise, below, adopted) = (Promise(), Promise(), Event())
      promise.thenOn(.immediate) { _ in
        adopted.signal()
        return below
      }
      let (settledFirst, value) = begin(reading, promise)
      promise.fulfill(1)
      adopted.wait()
      settledFirst.cancel()
      executor.step()
      XCTAssertEqual(try value.value(), 1, "the task is already resumed, but has not run yet")
      XCTAssertTrue(below.isPending, "nothing below is cancelled")

      let other = Promise()
      let (cancelledFirst, error) = begin(reading, other)
      cancelledFirst.cancel()
      other.fulfill(1)
      executor.step()
      XCTAssertTrue(try error.reason() is CancellationError)
      XCTAssertEqual(executor.jobs.count, 0)
    }
  }

  // Spec: T1.6
  func testATaskThatWasCancelledBefore() async throws {
    let (pending, victim) = (Promise(), Promise())
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let settled = try await Promise.resolved(1).value as? Int
      XCTAssertEqual(settled, 1, "there is nothing to wait for")
      let parent = Promise.resolved(2)
      let child = parent.then { _ in Promise() }
      _ = try await parent.cancellingValue
      XCTAssertTrue(child.isPending, "there is nothing to cancel")
      for (promise, reading) in [(pending, plain), (victim, cancelling)] {
        do {
          _ = try await reading(promise)
          XCTFail("pending")
        } catch { XCTAssertTrue(error is CancellationError) }
      }
      child.cancel()
    }.value
    XCTAssertTrue(pending.isPending)
    XCTAssertTrue(victim.isCancelled)
  }

  // Spec: T1.8
  func testTheValueMayHaveAType() async throws {
    let promise = Promise.resolved(7)
    let numbers = [
      try await promise.value(as: Int.self), try await promise.cancellingValue(as: Int.self),
    ]
    XCTAssertEqual(numbers, [7, 7])
    do {
      _ = try await promise.value(as: String.self)
      XCTFail("the value is not a string")
    } catch PromiseError.typeMismatch(let expected, let found, _, _) {
      XCTAssertTrue(expected == String.self)
      XCTAssertTrue(found == Int.self)
    }
  }

  // Spec: T1.9
  @MainActor
  func testTheValueNeedNotBeSendable() async throws {
    let promise = Promise.task { Box(3) }
    let typed = try await promise.value(as: Box.self)
    XCTAssertEqual(typed.number, 3)
    #if compiler(>=6.2)
      let box = try await promise.value as? Box
      XCTAssertTrue(typed === box)
    #endif
    let keeper = Keeper()
    let kept = try await keeper.read(Promise.task { Box(4) })
    XCTAssertEqual(kept, 4)
  }
}
