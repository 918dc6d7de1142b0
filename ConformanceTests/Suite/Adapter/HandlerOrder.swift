/// The way in which the suite observes the order of one promise's handlers (2.2.6).
public enum HandlerOrder: Sendable {
  /// The handlers' bodies show the order, because the context runs them one after another.
  case bodies
  /// A log of the scheduled jobs shows the order, for a context on which bodies may overlap.
  ///
  /// The log decides the cases of 2.2.6 about order. Cases that hold are reported as deviations with this
  /// reason.
  case scheduling(SchedulingLog, reason: String)
}

/// Numbers the jobs that an implementation schedules on its context, in the order of scheduling.
///
/// A recording context passes each job through ``stamp(_:)`` on receipt, before it enqueues the job.
public final class SchedulingLog: Sendable {
  private let last = Locked(0)

  /// Creates an empty log.
  public init() {}

  /// Numbers a job. Handlers that the job runs are recorded with this number.
  public func stamp(_ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = last.withLock { last in
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
