// Helpers for the withdrawal tests: a chain like the README's, and a follower of the chain.

import DynamicPromise
import XCTest

/// A task with two steps and an error handler. A function would return the `end`.
final class Chain: Sendable {
  let context: SteppedContext
  let root: Promise
  let resolver: Resolver
  let middle: Promise
  let end: Promise
  /// The reasons that the task's cancel hook receives.
  let heard = Log<any Error>()
  /// The reasons that the error handler receives.
  let caught = Log<any Error>()
  private let steps = Counter()

  init(_ context: SteppedContext = SteppedContext()) {
    self.context = context
    (root, resolver) = Promise.pending(on: context)
    let (heard, caught, steps) = (heard, caught, steps)
    resolver.onCancel { heard.append($0) }
    middle = root.then { value in
      steps.increment()
      return value
    }
    end =
      middle
      .then { value in
        steps.increment()
        return value
      }
      .catch { reason in caught.append(reason) }
  }

  /// A promise that follows the chain's end.
  func follower() -> Promise { end.follower(on: context) }

  /// Expects that the whole chain was cancelled once, and that no step ran.
  func assertCancelled(
    _ reason: Failure? = nil, _ name: String = "", file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertTrue(root.isCancelled, "the root: \(name)", file: file, line: line)
    XCTAssertEqual(heard.count, 1, "the task's hook: \(name)", file: file, line: line)
    XCTAssertTrue(middle.isCancelled, "a step: \(name)", file: file, line: line)
    context.drain()
    XCTAssertTrue(end.isCancelled, "the end: \(name)", file: file, line: line)
    XCTAssertEqual(steps.value, 0, "no step runs: \(name)", file: file, line: line)
    XCTAssertEqual(caught.count, 1, "the error handler: \(name)", file: file, line: line)
    for each in heard.all + caught.all {
      let isRight = reason.map { each as? Failure === $0 } ?? (each is CancellationError)
      XCTAssertTrue(isRight, "\(each): \(name)", file: file, line: line)
    }
  }

  /// Expects that the whole chain is pending.
  func assertPending(_ name: String = "", file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertTrue([root, middle, end].allSatisfy(\.isPending), name, file: file, line: line)
    XCTAssertEqual(heard.count, 0, name, file: file, line: line)
  }

  /// Fulfills the root and runs the steps.
  func finish(_ value: String = "value") {
    resolver.fulfill(value)
    context.drain()
  }
}

/// Expects that the promises are cancelled. If `reason` is given, it must be the reason of each promise.
func assertCancelled(
  _ promises: [Promise], _ reason: Failure? = nil, _ name: String = "", file: StaticString = #filePath,
  line: UInt = #line
) {
  for (index, promise) in promises.enumerated() {
    XCTAssertTrue(promise.isCancelled, "promise \(index): \(name)", file: file, line: line)
    guard let reason else { continue }
    XCTAssertTrue(promise.reasonNow === reason, "reason of \(index): \(name)", file: file, line: line)
  }
}

extension Promise {
  /// Returns a new promise that follows this promise.
  func follower(on context: any ExecutionContext = .immediate) -> Promise {
    let follower = Promise(on: context)
    follower.bind(self)
    return follower
  }

  /// The reason, if the promise is already rejected.
  var reasonNow: Failure? {
    guard case .failure(let reason)? = result else { return nil }
    return reason as? Failure
  }
}

/// A stepped context that reports when a thread waits for one of its handlers. The wait reads
/// `isBlockedByCaller` before it blocks, and again while it blocks (H2.8).
final class WaitedForContext: WaitAwareContext {
  let stepped = SteppedContext()
  let isWaitedFor = Event()
  private let asked = Counter()

  func execute(_ job: @escaping @Sendable () -> Void) { stepped.execute(job) }

  var isBlockedByCaller: Bool {
    asked.increment()
    if asked.value > 1 { isWaitedFor.signal() }
    return false
  }
}

/// Returns when the current task is cancelled.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    continuation.finish()
  }
}
