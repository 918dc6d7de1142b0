// A suspended task among the observers of a promise.
//
// Its continuation is a checked one, as is every one in this folder. Resuming an unchecked one reads the task's frame in our
// own code, and where that comes before the task has got as far as to suspend, the runtime goes on without an edge that Thread
// Sanitizer could see (`swift_continuation_await` finds the state `Resumed`): it reports the frame's next use as a race. The
// checked one's resume is the runtime's own code. It costs one small allocation beside a suspension.

/// Waits for a promise on behalf of one task. Decided once: by the promise, or by the task's cancellation.
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
    super.init(isConsumer: true)
  }

  func start(_ continuation: CheckedContinuation<Outcome, Never>) {
    let isCancelled = wait.with { wait in
      if !wait.isCancelled { wait.continuation = continuation }
      return wait.isCancelled
    }
    if isCancelled { return continuation.resume(returning: Self.cancellation) }
    var effects = Effects()
    promise.observe(self, &effects)
    effects.perform()
    // A cancellation that came before this had entered the list could not take it out.
    if wait.with({ $0.isCancelled }) { promise.forget(self) }
  }

  /// The task was cancelled. It does not wait any longer, and perhaps does not want the promise.
  func cancel(withdraws: Bool) {
    if promise.isSettled { return }
    let (isFirst, suspended) = wait.with { wait -> (Bool, CheckedContinuation<Outcome, Never>?) in
      guard !wait.isDecided else { return (false, nil) }
      (wait.isDecided, wait.isCancelled) = (true, true)
      return (true, wait.continuation.take())
    }
    guard isFirst else { return }
    var effects = Effects()
    promise.lock.lock()
    promise.leave(self, &effects)
    if withdraws { promise.markUnwanted(CancellationError(), &effects) }
    promise.lock.unlock()
    effects.perform()
    suspended?.resume(returning: Self.cancellation)
  }

  override func settled(_ promise: Promise, with outcome: DynamicPromise.Outcome, _ effects: inout Effects) {
    let suspended = wait.with { wait in
      wait.isDecided = true
      // None, if it was cancelled.
      return wait.continuation.take()
    }
    guard let suspended else { return }
    effects.add(outward: .wake { suspended.resume(returning: UncheckedBox(outcome.result)) })
  }

  private static var cancellation: Outcome { Outcome(.failure(CancellationError())) }
}
