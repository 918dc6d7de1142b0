import Foundation

/// The threads of a run's cases, reused between cases. If a case hangs, the run abandons this crew and
/// continues with a new one.
final class Crew: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var members: [Member] = []

  /// Runs `job` on an idle thread, and does not wait for it.
  func later(_ job: @escaping @Sendable () -> Void) {
    member().start(job)
  }

  /// Runs all jobs at once, one per thread, and waits for them. Returns `false` if some have not returned in
  /// time.
  func together(_ jobs: [@Sendable () -> Void], until deadline: Date) -> Bool {
    let ready = Counter()
    let started = jobs.map { job in
      let member = member()
      member.start {
        ready.increment()
        ready.wait(for: jobs.count)
        job()
      }
      return member
    }
    return started.allSatisfy { $0.finish(until: deadline) }
  }

  /// Runs `job` and waits for it. Returns `false` if the job has not returned in time.
  func run(until deadline: Date, _ job: @escaping @Sendable () -> Void) -> Bool {
    together([job], until: deadline)
  }

  /// Waits for all jobs of ``later(_:)``, except for a job of the calling thread.
  func finish(until deadline: Date) throws(CaseFailure) {
    for member in lock.withLock({ members }) where !member.isCurrent {
      guard member.finish(until: deadline) else {
        throw CaseFailure("a call did not return in time", isHang: true)
      }
    }
  }

  /// Ends the threads after their current jobs.
  func dismiss() {
    for member in lock.withLock({ members }) { member.dismiss() }
  }

  private func member() -> Member {
    lock.withLock {
      if let idle = members.first(where: { $0.reserve() }) { return idle }
      let new = Member()
      members.append(new)
      return new
    }
  }
}

/// A thread that runs one job at a time.
private final class Member: Sendable {
  private enum State {
    case idle
    case reserved
    case running(@Sendable () -> Void)
  }

  private let condition = NSCondition()
  nonisolated(unsafe) private var state = State.reserved
  nonisolated(unsafe) private var isDismissed = false
  nonisolated(unsafe) private var thread: ObjectIdentifier?

  init() {
    let thread = Thread { [self] in CrashNote.withSignalStack { work() } }
    thread.name = "promises-aplus-suite"
    self.thread = ObjectIdentifier(thread)
    thread.start()
  }

  var isCurrent: Bool { ObjectIdentifier(Thread.current) == thread }

  /// Reserves this member for a job. Returns `false` if the member is not idle.
  func reserve() -> Bool {
    condition.withLock {
      guard case .idle = state else { return false }
      state = .reserved
      return true
    }
  }

  func start(_ job: @escaping @Sendable () -> Void) {
    condition.withLock {
      state = .running(job)
      condition.broadcast()
    }
  }

  func dismiss() {
    condition.withLock {
      isDismissed = true
      condition.broadcast()
    }
  }

  func finish(until deadline: Date) -> Bool {
    condition.withLock {
      while true {
        if case .idle = state { return true }
        if !condition.wait(until: deadline) { return false }
      }
    }
  }

  private func work() {
    while let job = next() {
      job()
      condition.withLock {
        state = .idle
        condition.broadcast()
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    condition.withLock {
      while true {
        if case .running(let job) = state { return job }
        if isDismissed { return nil }
        condition.wait()
      }
    }
  }
}
