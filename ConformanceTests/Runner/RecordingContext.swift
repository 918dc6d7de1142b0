import DynamicPromise
import PromisesAPlusSuite

/// Numbers the jobs in the order in which the library schedules them, and schedules them on `base`.
///
/// On a context with overlapping bodies, the numbers show the order that 2.2.6 requires.
struct RecordingContext: ExecutionContext {
  let base: any ExecutionContext
  let log: SchedulingLog

  func execute(_ job: @escaping @Sendable () -> Void) {
    base.execute(log.stamp(job))
  }
}
