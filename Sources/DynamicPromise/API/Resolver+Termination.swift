// One hook for every end of a promise. (The idea is from Swift's `AsyncStream`.)

extension Resolver {
  /// How a promise ended.
  public enum Termination: Sendable {
    /// The promise was fulfilled or rejected.
    case settled
    /// The promise was cancelled by request, with this reason.
    case cancelled(any Error)
    /// The promise was freed before it settled, because nothing retained it.
    case abandoned
  }

  /// Calls `handler` once when the promise ends, without a lock, on the stack that settles, cancels or
  /// releases the promise. If the promise has already ended, `handler` is called at once.
  ///
  /// Use this method to stop the task. Release the task's resources when the task has returned, because it
  /// may still be running after a cancel.
  public func onTermination(_ handler: @escaping @Sendable (Termination) -> Void) {
    let observer = TerminationObserver(handler)
    let turn = Turn.current
    if let promise = promise {
      promise.observe(observer, turn)
    } else {
      observer.end(with: terminationOfFreedPromise, turn)
    }
    turn.drain()
  }

  private var terminationOfFreedPromise: Termination {
    switch endOfFreedPromise {
    case .settled: .settled
    case .cancelled(let reason): .cancelled(reason)
    case .abandoned, .left, nil: .abandoned
    }
  }
}

/// Reports the end of the promise. Reports `abandoned` if this observer is freed before it is notified, with
/// its promise.
private final class TerminationObserver: Observer {
  // Used by one thread at a time: the thread that settles the promise, then the thread that frees it.
  @exclusivity(unchecked) private var handler: (@Sendable (Resolver.Termination) -> Void)?

  init(_ handler: @escaping @Sendable (Resolver.Termination) -> Void) {
    self.handler = handler
    super.init(isConsumer: false)
  }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    if promise.lock.with({ promise.flags.contains(.cancelled) }), let reason = outcome.reason {
      end(with: .cancelled(reason), turn)
    } else {
      end(with: .settled, turn)
    }
  }

  func end(with termination: Resolver.Termination, _ turn: Turn) {
    guard let handler = handler.take() else { return }
    turn.call { handler(termination) }
  }

  deinit {
    let turn = Turn.current
    end(with: .abandoned, turn)
    turn.drain()
  }
}
