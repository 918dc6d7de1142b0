// Timers on the clock of a context, or on the system's clock.

import Dispatch

/// A context with its own clock. If it is the default context of a promise, timers of that promise run on
/// this clock. A test can then advance the clock by an hour at once.
public protocol TimerContext: ExecutionContext {
  /// Runs `job` once when `seconds` have passed, never on the stack of this call. `seconds` is finite and not
  /// negative. Called without a lock. If the job is dropped, a `delay` is rejected with
  /// ``PromiseError/broken``, and a `setTimeout` no longer limits its promise.
  ///
  /// - Returns: A function that cancels the timer, and may be called more than once, from any thread.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension ContextRef {
  /// A timer on the context's clock, if it has one, otherwise on the system's clock.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let seconds = seconds > 0 ? seconds : 0
    if case .other(let box) = self, let clock = box.context as? any TimerContext {
      return clock.schedule(after: seconds, job)
    }
    return SystemClock.schedule(after: seconds, job)
  }
}

/// Timers of the system. They fire on a queue of their own, where no handler or hook runs.
enum SystemClock {
  /// A serial queue, because Dispatch gives it a thread even if concurrent queues keep all processors busy.
  private static let queue = DispatchQueue(label: "DynamicPromise.timers")

  /// Where handlers in place and hooks run that a timer has caused. Blocks of another quality of service have
  /// other threads than the handlers of the private context.
  static let handlerQueue = DispatchQueue(
    label: "DynamicPromise.timers.handlers", qos: .userInitiated, attributes: .concurrent)

  static func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let fire: @Sendable () -> Void = { Turn.current.fireTimer(job) }
    guard seconds > 0 else {
      queue.async(execute: fire)
      return {}
    }
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + seconds)
    source.setEventHandler(handler: fire)
    source.activate()
    let box = UncheckedBox(source)
    return { box.value.cancel() }
  }
}
