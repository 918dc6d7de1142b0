import Foundation

/// A queue of jobs that the suite runs one at a time, oldest first. The handlers of a random program run on
/// such contexts; see ``PromiseAdapter/on(_:)``.
public final class SteppedContext: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var jobs: [@Sendable () -> Void] = []
  nonisolated(unsafe) private var first = 0

  /// Whether `enqueue` sometimes pauses, so that another thread overtakes the implementation in its call.
  private let pauses: Bool

  /// Creates a context without jobs.
  public convenience init() { self.init(pauses: false) }

  init(pauses: Bool) { self.pauses = pauses }

  /// Adds a job, on any thread or inside a job.
  public func enqueue(_ job: @escaping @Sendable () -> Void) {
    if pauses, Bool.random() { usleep(.random(in: 1...100)) }
    lock.withLock { jobs.append(job) }
  }

  /// Runs the oldest job on the calling thread. Returns `false` if there is no job.
  @discardableResult
  public func step() -> Bool {
    let job = lock.withLock { () -> (@Sendable () -> Void)? in
      guard first < jobs.count else { return nil }
      let job = jobs[first]
      jobs[first] = { @Sendable in }
      first += 1
      if first == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        first = 0
      }
      return job
    }
    job?()
    return job != nil
  }

  var hasJob: Bool { lock.withLock { first < jobs.count } }

  /// Releases all jobs without running them.
  func removeAll() {
    let released = lock.withLock {
      defer { (jobs, first) = ([], 0) }
      return jobs
    }
    withExtendedLifetime(released) {}
  }
}
