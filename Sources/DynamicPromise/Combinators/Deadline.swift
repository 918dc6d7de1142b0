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

  private init(_ seconds: Double, on context: (any ExecutionContext)?) {
    timer = Promise.result(on: context)
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

  /// Rejects a promise when the time is over.
  func limit(_ promise: Promise) {
    let effects = Effects.begin()
    let expiry = Expiry(of: promise)
    promise.observe(Completion(timer, expiry), looks: false, effects)
    timer.observe(expiry, looks: false, effects)
    Driver.perform(effects)
    // The promise may have settled before the timer was observed.
    if promise.isSettled { timer.forget(expiry) }
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
