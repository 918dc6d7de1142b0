// Where timers come from: a context that keeps time of its own, or the system's clock.

import Dispatch

/// A context with a clock. Timers of the promises whose default context it is run on that clock, so that a
/// test's context can let an hour pass at once.
public protocol TimerContext: ExecutionContext {
  /// Runs `job` once when `seconds` have passed, never on the stack of this call. `seconds` is finite and not
  /// negative. Called with nothing locked. If the job is dropped, a `delay` is broken, and a `setTimeout` no
  /// longer limits its promise. A second run does nothing.
  ///
  /// - Returns: A function that cancels the timer. It may be called late, twice, and from any thread.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// What the clock shows, in seconds from whatever point it counts: a ``Deadline`` says by it how much time
  /// remains. The system's clock unless told otherwise; a clock that goes faster or slower, or that a test
  /// moves, has its own. Called without any lock held.
  var currentTime: Double { get }
}

extension TimerContext {
  /// The system's clock.
  public var currentTime: Double { SystemClock.now }
}

extension ContextRef {
  /// What the context's own clock shows if it has one, else the system's.
  var now: Double {
    if case .other(let box) = self, let clock = box.context as? any TimerContext { return clock.currentTime }
    return SystemClock.now
  }

  /// A timer on the context's own clock if it has one, else on the system's.
  func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let seconds = seconds > 0 ? seconds : 0
    if case .other(let box) = self, let clock = box.context as? any TimerContext {
      return clock.schedule(after: seconds, job)
    }
    return SystemClock.schedule(after: seconds, job)
  }
}

/// Timers of the system. They fire on the private concurrent queue, so that a timer that starts something
/// slow in place does not delay the others.
private enum SystemClock {
  /// Seconds of the clock that timers go by.
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
