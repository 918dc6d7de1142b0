// A suspended task that observes a promise.
//
// All continuations in this folder are checked, because Thread Sanitizer reports a false race on an unchecked
// continuation. Its `resume` would be inlined into this module, and reads the task's frame. If `resume` is
// called before the task has suspended, `swift_continuation_await` finds the state `Resumed` and continues.
// Thread Sanitizer sees no synchronization in that case. The `resume` of a checked continuation is compiled
// into the runtime. A checked continuation costs one small allocation per suspension.

/// Waits for a promise for one task. The promise's settlement or the task's cancel ends the wait.
final class TaskWaiter: Observer, @unchecked Sendable {
  typealias Outcome = UncheckedBox<Result<Any, any Error>>

  private struct Wait {
    var continuation: CheckedContinuation<Outcome, Never>?
    var isDecided = false
    var isCancelled = false
  }

  private let promise: Promise
  private let wait = Guarded(Wait())

  init(_ promise: Promise) {
    self.promise = promise
    super.init(isConsumer: true, at: promise.core.lock)
  }

  func start(_ continuation: CheckedContinuation<Outcome, Never>) {
    let isCancelled = wait.with { wait in
      if !wait.isCancelled { wait.continuation = continuation }
      return wait.isCancelled
    }
    if isCancelled { return continuation.resume(returning: Self.cancellation) }
    let turn = Turn.current
    promise.observe(self, turn)
    turn.drain()
    // Removes the observer here if a cancel before `observe` found no observer to remove.
    if wait.with({ $0.isCancelled }) { promise.forget(self) }
  }

  /// Ends the wait, because the task was cancelled. With `withdraws`, it also withdraws.
  func cancel(withdraws: Bool) {
    if promise.isSettled { return }
    let (isFirst, suspended) = wait.with { wait -> (Bool, CheckedContinuation<Outcome, Never>?) in
      guard !wait.isDecided else { return (false, nil) }
      (wait.isDecided, wait.isCancelled) = (true, true)
      return (true, wait.continuation.take())
    }
    guard isFirst else { return }
    let turn = Turn.current
    leave(unwanted: withdraws ? CancellationError() : nil, turn)
    // If the waiter was not added yet, it withdraws all the same.
    if withdraws { promise.core.withdraw(CancellationError(), turn) }
    turn.drain()
    suspended?.resume(returning: Self.cancellation)
  }

  override func settled(_ promise: Core, with outcome: DynamicPromise.Outcome, _ turn: Turn) {
    let suspended = wait.with { wait in
      wait.isDecided = true
      // `nil` if the task was cancelled.
      return wait.continuation.take()
    }
    guard let suspended else { return }
    turn.submit(.call { suspended.resume(returning: UncheckedBox(outcome.result)) })
  }

  private static var cancellation: Outcome { Outcome(.failure(CancellationError())) }
}
