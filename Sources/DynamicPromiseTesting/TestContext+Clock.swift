// The clock of a test context. Only a test advances it.

import DynamicPromise

extension TestContext {
  /// The clock's time, in seconds; 0 at the beginning.
  public var now: Double { locked { $0.now } }

  /// The number of timers.
  public var pendingTimers: Int { locked { $0.timers.count } }

  /// The time of the next timer, on the clock of ``now``; `nil` if no timer will ever be due.
  public var nextTimer: Double? { locked { $0.timers.firstDue.flatMap { $0 < .infinity ? $0 : nil } } }

  /// Counts compared and moved timer entries, so that tests can assert the cost of timers.
  package var timerWork: Int { locked { $0.timers.work } }

  /// Enqueues `job` when the clock has advanced by `seconds`. With zero, a negative number or NaN, the next
  /// advance enqueues the job, even an advance by zero. With infinity, the job is never enqueued.
  ///
  /// - Returns: A function that cancels the timer and releases the job.
  public func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timed = TimedJob(job)
    let (number, waiters) = locked { state in
      let number = state.timers.insert(due: state.now + (seconds > 0 ? seconds : 0)) { timed.take()?() }
      return (number, state.has(.timer) ? state.waiters.takeAll(for: .timer) : [])
    }
    for wake in waiters { wake() }
    // The timer may be due. Its job is then enqueued, and releases `timed` when it has run or is dropped.
    return { [weak self, weak timed] in
      let removed = self?.locked { $0.timers.remove(number) }
      let job = timed?.take()
      withExtendedLifetime((removed, job)) {}
    }
  }

  /// Advances the clock by `seconds`. Runs the enqueued jobs first, then each due timer at its own time,
  /// followed by all jobs that the timer enqueues. Timers that are set during the call also run, if they are
  /// due.
  ///
  /// Afterwards the queue is empty, and the clock has advanced by `seconds`. For zero, a negative number or
  /// NaN, the clock does not move, and due timers run. For infinity, every timer with a finite time runs, and
  /// the clock stops at the last of these timers.
  ///
  /// - Parameters:
  ///   - seconds: How far the clock moves.
  ///   - limit: The maximal number of jobs, for programs that never end, such as a timer that always sets
  ///     another one. At the limit, the clock stops where it is.
  /// - Returns: Whether the call has ended before the limit.
  @discardableResult
  public func advance(by seconds: Double, limit: Int = 1_000_000) -> Bool {
    let end = now + (seconds > 0 ? seconds : 0)
    var left = limit
    repeat {
      left -= drain(limit: left)
      if left <= 0, pendingJobs > 0 || (nextTimer ?? .infinity) <= end { return false }
    } while moveToNextTimer(before: end)
    if end < .infinity { locked { $0.now = max($0.now, end) } }
    return true
  }

  /// Moves the clock to the next timer, and enqueues the jobs of all timers of that time, in the order in
  /// which they were set. Runs no job; use ``step()`` or `drain()`.
  ///
  /// - Returns: `false` if no timer will ever be due.
  @discardableResult
  public func advanceToNextTimer() -> Bool { moveToNextTimer(before: .infinity) }

  private func moveToNextTimer(before end: Double) -> Bool {
    let due = locked { state -> [Job] in
      guard let first = state.timers.firstDue, first <= end, first < .infinity else { return [] }
      state.now = max(state.now, first)
      var jobs: [Job] = []
      while let due = state.timers.firstDue, due <= first, let job = state.timers.popFirst() {
        jobs.append(job)
      }
      return jobs
    }
    guard !due.isEmpty else { return false }
    enqueue(due)
    return true
  }
}

/// The job of a timer, until the job runs or the timer is cancelled.
private final class TimedJob: Sendable {
  private let job: Guarded<TestContext.Job?>

  init(_ job: @escaping TestContext.Job) { self.job = Guarded(job) }

  func take() -> TestContext.Job? { job.with { $0.take() } }
}
