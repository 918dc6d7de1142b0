// What `setTimeout` and `delay` share.
//
// WHO HOLDS WHOM.   promise ─▶ completion observer ─▶ timer ◀─ job ◀─ clock
// The clock keeps a few words until it has noticed that the timer was called off; the promise, and what it was to be
// resolved with, are let go at once. The timer knows its promise weakly: a timer is no reason to live.

/// Resolves a promise at some time, unless it is called off before.
final class Timer: @unchecked Sendable {
  /// What is too long to be counted.
  private static let never = 1e9

  private let promise: WeakPromise
  /// Taken by whoever comes first, the clock or the end of the promise.
  private let resolution: Guarded<Resolution?>

  private init(_ promise: Promise, _ resolution: Resolution) {
    self.promise = WeakPromise(promise)
    self.resolution = Guarded(resolution)
  }

  /// - Parameter breaksIfDropped: Whether the promise is broken if the clock drops the job.
  static func start(
    _ seconds: Double, on promise: Promise, _ resolution: Resolution, breaksIfDropped: Bool
  ) {
    guard !promise.isSettled, !(seconds >= never) else { return }
    let timer = Timer(promise, resolution)
    let job = TimerJob(timer, breaks: breaksIfDropped)
    let callOff = promise.defaultContext.schedule(after: seconds) { job.run() }
    var effects = Effects()
    promise.observe(Completion(timer, callOff), looks: false, &effects)
    effects.perform()
  }

  fileprivate func take() -> Resolution? { resolution.with { $0.take() } }

  fileprivate func fire() {
    guard let resolution = take(), let promise = promise.value else { return }
    var effects = Effects()
    promise.resolve(resolution, &effects)
    effects.perform()
  }

  fileprivate func drop() {
    guard take() != nil, let promise = promise.value else { return }
    promise.settleByHand(.rejected(PromiseError.brokenAt(promise.origin)))
  }
}

/// What a clock is given: runs once, and notices if it is dropped.
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

/// Stands among the observers of the promise that has a timer. Nobody else keeps it, so it goes when the promise has settled
/// as well as when the promise goes.
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
