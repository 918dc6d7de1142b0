// Timers: of a context with its own clock, or of the system's clock.

import Dispatch

/// A context with a clock. Timers of promises whose default context it is run on that clock, so a test can
/// advance it by an hour at once.
public protocol TimerContext: ExecutionContext {
  /// Runs `job` once when `seconds` have passed, never on the stack of this call. `seconds` is finite and
  /// not negative. Called without a lock. If the job is dropped, a `delay` is broken, and a `setTimeout` no
  /// longer limits its promise. A second run has no effect.
  ///
  /// - Returns: A function that cancels the timer. It may be called after the end, twice, and from any
  ///   thread.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// The clock's time in seconds, from any origin; a ``Deadline`` computes its remaining time with it. The
  /// default is the system's clock. A clock with another speed, or one that a test moves, must implement
  /// it. Called without a lock.
  var currentTime: Double { get }
}

extension TimerContext {
  /// The system's clock.
  public var currentTime: Double { SystemClock.now }
}

extension ContextRef {
  /// The time of the context's clock if it has one, otherwise of the system's.
  var now: Double {
    if case .other(let box) = self, let clock = box.context as? any TimerContext { return clock.currentTime }
    return SystemClock.now
  }

  /// A timer on the context's clock if it has one, otherwise on the system's.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let seconds = seconds > 0 ? seconds : 0
    if case .other(let box) = self, let clock = box.context as? any TimerContext {
      return clock.schedule(after: seconds, job)
    }
    return SystemClock.schedule(after: seconds, job)
  }
}

/// Timers of the system. They fire on the private concurrent queue, so a slow handler in place does not
/// delay other timers.
private enum SystemClock {
  /// The seconds of the clock that timers use.
  static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }

  static func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard seconds > 0 else {
      DefaultContext.queue.async(execute: job)
      return {}
    }
    let source = DispatchSource.makeTimerSource(queue: DefaultContext.queue)
    source.schedule(deadline: .now() + seconds)
    source.setEventHandler(handler: job)
    source.activate()
    let box = UncheckedBox(source)
    return { box.value.cancel() }
  }
}
