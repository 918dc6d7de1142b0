// The timer of `setTimeout`, `timeout`, `delay` and `retry`.
//
// OWNERSHIP. promise ─▶ completion observer ─▶ timer ◀─ job ◀─ clock. The timer refers to its promise weakly.
// A cancelled timer releases its resolution at once; the clock may retain the job longer.

/// Resolves a promise after a time, unless the timer is cancelled before that time.
final class Timer: @unchecked Sendable {
  /// The number of seconds from which on no timer is started.
  static let never = 1e9

  private let promise: WeakPromise
  /// The promise whose time is limited, if that is not the parent.
  private let source: WeakPromise?
  /// Taken once: when the timer fires, is dropped or is cancelled.
  private let resolution: Guarded<(() -> Resolution)?>

  private init(_ promise: Promise, _ source: Promise?, _ resolution: @escaping () -> Resolution) {
    self.promise = WeakPromise(promise)
    self.source = source.map { WeakPromise($0) }
    self.resolution = Guarded(resolution)
  }

  /// - Parameters:
  ///   - resolution: Made when the time is over.
  ///   - source: The promise whose time is limited, if that is not the parent.
  ///   - breaksIfDropped: Whether the promise is rejected with `broken` if the clock drops the job.
  static func start(
    _ seconds: Double, on promise: Promise, _ resolution: @autoclosure @escaping () -> Resolution,
    for source: Promise? = nil, breaksIfDropped: Bool
  ) {
    guard !promise.isSettled, !(seconds >= never) else { return }
    promise.noteInputs([], "timer")
    let timer = Timer(promise, source, resolution)
    let job = TimerJob(timer, breaks: breaksIfDropped)
    let callOff = promise.defaultContext.schedule(after: seconds) { job.run() }
    let turn = Turn.current
    promise.observe(Completion(timer, callOff), turn)
    turn.drain()
  }

  fileprivate func take() -> (() -> Resolution)? { resolution.with { $0.take() } }

  fileprivate func fire() {
    guard let make = take(), let promise = promise.value else { return }
    let turn = Turn.current
    var resolution = make()
    if case .rejected(let error) = resolution {
      resolution = .rejected(PromiseError.naming(source?.value ?? promise.parent, in: error, turn))
    }
    // A run loop inside a handler may fire the timer.
    turn.work { promise.core.resolve(with: resolution, turn) }
  }

  fileprivate func drop() {
    guard take() != nil, let promise = promise.value else { return }
    let turn = Turn.current
    promise.core.resolve(with: .rejected(PromiseError.brokenAt(promise.origin)), turn)
    turn.drain()
  }
}

/// The job for the clock. A `deinit` without a run means that the clock has dropped the job.
private final class TimerJob: Sendable {
  private let timer: Timer
  private let breaks: Bool

  init(_ timer: Timer, breaks: Bool) {
    self.timer = timer
    self.breaks = breaks
  }

  func run() { timer.fire() }

  deinit { if breaks { timer.drop() } }
}

/// Cancels the timer in its `deinit`. Only the promise retains this observer.
private final class Completion: CompletionObserver {
  private let timer: Timer
  private let callOff: @Sendable () -> Void

  init(_ timer: Timer, _ callOff: @escaping @Sendable () -> Void) {
    self.timer = timer
    self.callOff = callOff
    super.init()
  }

  deinit {
    _ = timer.take()
    callOff()
  }
}
