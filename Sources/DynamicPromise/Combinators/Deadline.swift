// A deadline over several steps.

/// A point in time that several steps share. Make a deadline once, and pass it to each step's `timeout`, so
/// that it limits all steps together.
///
/// The time starts when the deadline is made. A deadline has one timer on one clock, whatever contexts the
/// steps have. The timer is cancelled when nothing retains the deadline and no step waits for it. A copy is
/// the same deadline.
public struct Deadline: Sendable {
  /// Fulfilled when the time is over.
  private let timer: Promise
  /// The end, on the timer's clock.
  private let end: Double

  private init(_ seconds: Double, on context: (any ExecutionContext)?) {
    timer = Promise.result(on: context)
    end = seconds >= Timer.never ? .infinity : timer.defaultContext.now + (seconds > 0 ? seconds : 0)
    Timer.start(seconds, on: timer, .fulfilled(()), breaksIfDropped: false)
  }

  /// The point in time `seconds` from now, on the clock of `context` if that is a ``TimerContext``, otherwise
  /// on the system's clock.
  ///
  /// If `seconds` is zero, negative or NaN, there is no time left, but the deadline is not over before this
  /// call returns. If `seconds` is infinity, or 1e9 (31 years) or more, the deadline is never over.
  public static func after(_ seconds: Double, on context: (any ExecutionContext)? = .inherited) -> Deadline {
    Deadline(seconds, on: context)
  }

  /// A deadline that is never over, for functions that require a deadline.
  public static var never: Deadline { after(Double.infinity) }

  /// Whether the time is over.
  public var isOver: Bool { timer.isSettled }

  /// The remaining seconds on the deadline's clock: 0 when the time is over, infinity if the deadline is
  /// never over.
  ///
  /// For calls with their own limit: `request.timeoutInterval = deadline.remaining`. The time of a
  /// context's clock is ``TimerContext/currentTime``.
  public var remaining: Double { isOver ? 0 : max(0, end - timer.defaultContext.now) }

  /// The number of steps that wait for the end.
  package var waitingSteps: Int {
    var count = 0
    timer.core.lock.with { timer.core.side?.observers.forEach { count += $0 is Expiry ? 1 : 0 } }
    return count
  }

  /// Rejects a promise with `error` when the time is over.
  func limit(_ promise: Promise, for source: Promise?, _ error: any Error) {
    let expiry = Expiry(of: promise, for: source, error, at: timer.core.lock)
    let turn = Turn.current
    // The order matters: if the promise has settled, the second observer is freed at once and removes the
    // first observer.
    timer.observe(expiry, turn)
    promise.observe(Completion(timer, expiry), turn)
    turn.drain()
  }

  /// Observes the timer. Refers to the promise weakly, because a deadline does not retain a promise.
  private final class Expiry: Observer {
    private let promise: WeakPromise
    private let source: WeakPromise?
    private let error: any Error

    init(of promise: Promise, for source: Promise?, _ error: any Error, at place: TreeLock) {
      self.promise = WeakPromise(promise)
      self.source = source.map { WeakPromise($0) }
      self.error = error
      super.init(isConsumer: false, at: place)
    }

    override func settled(_ timer: Core, with outcome: Outcome, _ turn: Turn) {
      guard let promise = promise.value else { return }
      let error = PromiseError.naming(source?.value ?? promise.parent, in: error, turn)
      promise.core.resolve(with: .rejected(error), turn)
      turn.release(promise)
    }
  }

  /// Observes the promise, and retains the timer until the promise settles or is freed.
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
