import DynamicPromise
import PromisesAPlusSuite

/// Numbers the jobs in the order in which the library hands them over, and passes them on.
///
/// On a context where bodies may overlap, this is where the order that 2.2.6 demands can be seen.
struct RecordingContext: ExecutionContext {
  let base: any ExecutionContext
  let log: SchedulingLog

  func execute(_ job: @escaping @Sendable () -> Void) {
    base.execute(log.stamp(job))
  }
}
