// A deadline over several steps.

/// A point in time that several steps share: made once, passed on, and given to each step's `timeout`, so
/// that all of them together take no longer, however many there are.
///
/// The time begins when the deadline is made. It has one timer on one clock, whatever contexts the steps
/// have. The timer is cancelled when nobody holds the deadline any more and no step waits for it. A copy is
/// the same deadline.
public struct Deadline: Sendable {
  /// Fulfilled when the time is over.
  private let timer: Promise
  /// When it is, on the timer's clock.
  private let end: Double

  private init(_ seconds: Double, on context: (any ExecutionContext)?) {
    timer = Promise.result(on: context)
    end = seconds >= Timer.never ? .infinity : timer.defaultContext.now + (seconds > 0 ? seconds : 0)
    Timer.start(seconds, on: timer, .outcome(.fulfilled(.void)), breaksIfDropped: false)
  }

  /// The point in time `seconds` from now, on the clock of `context` if that is a ``TimerContext``, else on
  /// the system's.
  ///
  /// Zero, a negative number and NaN mean now, though the deadline is not over before this call returns;
  /// infinity, and what is too long to be counted (30 years and more), mean never.
  public static func after(_ seconds: Double, on context: (any ExecutionContext)? = .inherited) -> Deadline {
    Deadline(seconds, on: context)
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public static func after(_ duration: Duration, on context: (any ExecutionContext)? = .inherited) -> Deadline
  {
    Deadline(duration.inSeconds, on: context)
  }

  /// A deadline that is never over, for functions that ask for one.
  public static var never: Deadline { after(Double.infinity) }

  /// Whether the time is over.
  public var isOver: Bool { timer.isSettled }

  /// How many seconds remain, on the clock of the deadline: 0 when the time is over, infinity if it never is.
  ///
  /// For what takes a limit of its own: `request.timeoutInterval = deadline.remaining`. What a context's own
  /// clock shows it says by ``TimerContext/currentTime``.
  public var remaining: Double { isOver ? 0 : max(0, end - timer.defaultContext.now) }

  /// How many steps wait for the end.
  package var waitingSteps: Int {
    var count = 0
    timer.lock.with { timer.side?.observers.forEach { count += $0 is Expiry ? 1 : 0 } }
    return count
  }

  /// Rejects a promise when the time is over.
  func limit(_ promise: Promise) {
    let expiry = Expiry(of: promise)
    let effects = Effects.begin()
    // In this order: the second one, where the promise has settled, is let go of at once and takes out the
    // first.
    timer.observe(expiry, looks: false, effects)
    promise.observe(Completion(timer, expiry), looks: false, effects)
    Driver.perform(effects)
  }

  /// Observes the timer. Refers to the promise weakly, because a deadline does not keep a promise alive.
  private final class Expiry: Observer {
    private let promise: WeakPromise

    init(of promise: Promise) {
      self.promise = WeakPromise(promise)
      super.init(isConsumer: false)
    }

    override func settled(_ timer: Promise, with outcome: Outcome, _ effects: Effects) {
      promise.value?.resolve(with: .outcome(.rejected(PromiseError.timeout)), effects)
    }
  }

  /// Observes the promise, and keeps the timer until the promise has settled or is freed.
  private final class Completion: CompletionObserver {
    private let timer: Promise
    private let expiry: Expiry

    init(_ timer: Promise, _ expiry: Expiry) {
      self.timer = timer
      self.expiry = expiry
      super.init()
    }

    deinit { timer.forget(expiry) }
  }
}
