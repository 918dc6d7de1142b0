import Foundation

/// How the order of one promise's handlers (2.2.6) can be observed.
public enum HandlerOrder: Sendable {
  /// By their bodies: the context runs them one after another.
  case bodies
  /// By a log of the jobs that were scheduled, for a context that lets bodies overlap. The log then decides
  /// the cases of 2.2.6 that are about order; those that hold are reported as deviations with this reason.
  case scheduling(SchedulingLog, reason: String)
}

/// Numbers the jobs that an implementation schedules on its context, in the order of scheduling.
///
/// A recording context passes each job through ``stamp(_:)`` as soon as it receives the job, before it
/// enqueues it.
public final class SchedulingLog: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var last = 0

  /// An empty log.
  public init() {}

  /// The numbered job. While it runs, its handlers know their number.
  public func stamp(_ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = lock.withLock {
      last += 1
      return last
    }
    return {
      let outer = ThreadLocal.jobNumber.value
      ThreadLocal.jobNumber.value = number
      defer { ThreadLocal.jobNumber.value = outer }
      job()
    }
  }
}
