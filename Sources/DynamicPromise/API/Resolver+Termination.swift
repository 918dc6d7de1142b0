// One hook for every end of a promise. (The idea is from Swift's `AsyncStream`.)

extension Resolver {
  /// How a promise ended.
  public enum Termination: Sendable {
    /// It was fulfilled or rejected.
    case settled
    /// It was cancelled by request, with this reason.
    case cancelled(any Error)
    /// It was freed before it settled: no consumer was left.
    case abandoned
  }

  /// Calls `handler` once when the promise ends, with nothing locked, on the stack that settles, cancels or
  /// releases the promise. If the promise has ended before, `handler` is called at once. Use it to stop the
  /// task. After a cancel the task may still be running, so what it uses is released when it has returned.
  ///
  /// The handler does not keep the promise alive, and does not make the caller a consumer.
  public func onTermination(_ handler: @escaping @Sendable (Termination) -> Void) {
    let observer = TerminationObserver(handler)
    let effects = Effects.begin()
    if let promise = promise {
      promise.observe(observer, looks: false, effects)
    } else {
      observer.end(with: endOfFreedPromise, effects)
    }
    Driver.perform(effects)
  }
}

/// Freed with its promise, it tells that the promise never settled.
private final class TerminationObserver: Observer {
  // Touched by one thread at a time: who settles the promise, then who frees it.
  @exclusivity(unchecked) private var handler: (@Sendable (Resolver.Termination) -> Void)?

  init(_ handler: @escaping @Sendable (Resolver.Termination) -> Void) {
    self.handler = handler
    super.init(isConsumer: false)
  }

  override func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) {
    if promise.isCancelledByRequest, let reason = outcome.reason {
      end(with: .cancelled(reason), effects)
    } else {
      end(with: .settled, effects)
    }
  }

  func end(with termination: Resolver.Termination, _ effects: Effects) {
    guard let handler = handler.take() else { return }
    effects.add(.call([{ handler(termination) }]))
  }

  deinit { handler?(.abandoned) }
}
