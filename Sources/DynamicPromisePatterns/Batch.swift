// Several promises and their outcomes.

import DynamicPromise
import Synchronization

/// A group of promises that reports each outcome as it arrives, the first failure, and all outcomes.
///
///     let batch = Batch(urls.map { download($0) })
///     batch.onEach { index, outcome in show(index, outcome) }
///     batch.onFirstFailure { index, error in log("\(urls[index]): \(error)") }
///     batch.allSettled.then { _ in log("that was all") }
///
/// The batch follows its inputs as soon as it is created. Cancelling the batch cancels each input with its
/// chain, unless the input has other consumers. Releasing the batch cancels nothing, and registered closures
/// are still called. Every method may be called from any thread. The idea is from FutureKit.
public final class Batch: Sendable {
  private let members: [Promise]
  private let context: (any ExecutionContext)?

  /// A batch of promises, thenables and plain values, in any mix. The sequence is read once, and thenables
  /// are called on this stack. An input that is an `Error` counts as a failure.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the batch.
  ///   - context: The context of the batch's closures, and the default context of its promises; `nil` for
  ///     `Promise.defaultContext`.
  public init(_ inputs: some Sequence, on context: (any ExecutionContext)? = nil) {
    members = inputs.map { input in
      let member = Promise(on: context)
      member.resolve(input as Any)
      return member
    }
    self.context = context
  }

  /// An overload for array literals of mixed types.
  public convenience init(_ inputs: [Any?], on context: (any ExecutionContext)? = nil) {
    self.init(AnySequence(inputs.map { $0 as Any }), on: context)
  }

  /// The number of inputs.
  public var count: Int { members.count }

  /// Fulfilled with the values, `[Any]` in the order of the inputs; rejected with the first failure. The same
  /// as `Promise.all`.
  public var all: Promise { Promise.all(members, on: context) }

  /// Fulfilled with all outcomes, `[Result<Any, any Error>]` in the order of the inputs, when the last input
  /// has settled.
  public var allSettled: Promise { Promise.allSettled(members, on: context) }

  /// Calls `body` on the batch's context with each outcome as it arrives, and with the index of its input.
  /// Existing outcomes are reported first, in the order of the inputs. Calls do not overlap. If `body`
  /// returns a promise, the next call waits for it.
  ///
  /// - Returns: A promise that is fulfilled with `()` when `body` has been called with all outcomes. If
  ///   `body` throws, or its promise is rejected, this promise is rejected with that reason, and `body` is
  ///   not called again. If this promise is cancelled, `body` is not called again either.
  @discardableResult
  public func onEach<T>(
    _ body: @escaping @Sendable (_ index: Int, _ outcome: Result<Any, any Error>) throws -> T
  )
    -> Promise
  {
    let (queue, hasFailed) = (TaskQueue(on: context), Guarded(false))
    let calls = members.enumerated().map { index, member in
      Promise.allSettled([member], on: .immediate).thenOn(.immediate) {
        (outcomes: [Result<Any, any Error>]) in
        let outcome = Unchecked(value: outcomes[0])
        return queue.add { () -> Promise? in
          if hasFailed.with({ $0 }) { return nil }
          // Noted before the task ends, and thereby before the next one begins.
          return Promise(on: .immediate) { $0.resolve(try body(index, outcome.value)) }
            .tapCatch(on: .immediate) { _ in hasFailed.with { $0 = true } }
        }
      }
    }
    return Promise.all(calls, on: context, cancellingInputs: true).cancelsWhenUnwanted()
      .thenOn(.immediate) { _ in }
  }

  /// Calls `body` on the batch's context with the first failure, if any, and with the index of its input. If
  /// several inputs have failed already, the first of them in input order counts.
  ///
  /// - Returns: A promise that is resolved with the result or error of `body`, or fulfilled with `nil` if all
  ///   inputs are fulfilled. If this promise is cancelled earlier, `body` is not called.
  @discardableResult
  public func onFirstFailure<T>(_ body: @escaping @Sendable (_ index: Int, _ error: any Error) throws -> T)
    -> Promise
  {
    let (first, resolver) = Promise.pending(on: context)
    let pending = Atomic(members.count)
    for (index, member) in members.enumerated() {
      Self.onOutcome(of: member) { outcome in
        if case .failure(let error) = outcome {
          resolver.fulfill(BatchFailure(index: index, error: error))
          return
        }
        if pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { resolver.fulfill(nil) }
      }
    }
    if members.isEmpty { resolver.fulfill(nil) }
    return first.then { (failure: BatchFailure?) -> Any? in
      try failure.map { try body($0.index, $0.error) as Any } ?? nil
    }
  }

  /// Calls `body` once with the outcome of `member`. The handlers are consumers of `member`. A cancel of a
  /// settled member may cancel the `then` handler before it has begun. If so, the `catch` handler calls
  /// `body`.
  private static func onOutcome(
    of member: Promise, _ body: @escaping @Sendable (Result<Any, any Error>) -> Void
  ) {
    let isCalled = Atomic(false)
    let call = { @Sendable in
      if !isCalled.exchange(true, ordering: .relaxed), let outcome = member.result { body(outcome) }
    }
    member.thenOn(.immediate, { _ in call() }, { _ in call() }).catchOn(.immediate) { _ in call() }
  }

  /// Cancels each pending input with its chain, unless the input has other consumers. Existing outcomes do
  /// not change. For each pending input the batch's closures receive a failure with `reason`, wrapped in
  /// `PromiseError.cancelled(reason:)` if the reason is not an `Error`.
  public func cancel(_ reason: Any = CancellationError()) {
    for member in members { member.cancel(reason) }
  }
}

private struct BatchFailure: Sendable {
  let index: Int
  let error: any Error
}
