// The clock of a test context: it stands still until a test moves it.

import DynamicPromise

extension TestContext {
  /// The clock's time, in seconds; 0 at the beginning.
  public var now: Double { locked { $0.now } }

  /// The same, for those who ask a `TimerContext`.
  public var currentTime: Double { now }

  /// How many timers are set.
  public var pendingTimers: Int { locked { $0.timers.count } }

  /// When the next timer is due, on the clock of ``now``; `nil` if none is set, or none that is ever due.
  public var nextTimer: Double? { locked { $0.timers.firstDue.flatMap { $0 < .infinity ? $0 : nil } } }

  /// What the timers have cost so far, for tests.
  package var timerWork: Int { locked { $0.timers.work } }

  /// Enqueues `job` when the clock has moved on by `seconds`. Zero, a negative number and NaN mean: when it
  /// moves next, by however little; infinity means never.
  ///
  /// - Returns: A function that cancels the timer and releases the job.
  public func schedule(after seconds: Double, _ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = locked { state in
      state.timers.insert(due: state.now + (seconds > 0 ? seconds : 0), job)
    }
    return { [weak self] in
      let job = self?.locked { $0.timers.remove(number) }
      withExtendedLifetime(job) {}
    }
  }

  /// Lets `seconds` pass: runs the jobs that wait, then timer after timer at its own time, each together with
  /// all jobs that it enqueues, as a context would that has nothing else to do. Timers that are set meanwhile
  /// and fall due run, too.
  ///
  /// Afterwards no job waits, and the clock is `seconds` later. For zero, a negative number and NaN the clock
  /// stays where it is, and what is due now runs; for infinity every timer runs, and the clock stays at the
  /// last one.
  public func advance(by seconds: Double) {
    let end = now + (seconds > 0 ? seconds : 0)
    drain()
    while moveToNextTimer(before: end) { drain() }
    if end < .infinity { locked { $0.now = max($0.now, end) } }
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public func advance(by duration: Duration) { advance(by: duration.inSeconds) }

  /// Moves the clock to the next timer, and enqueues its job and those of all timers that are due at the same
  /// time, in the order in which they were set. Runs nothing: ``step()`` or `drain()` does.
  ///
  /// - Returns: Whether there was a timer.
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
