import DynamicPromise
import PromisesAPlusSuite

/// Adapts a context of the suite to the library, for random programs.
struct Stepping: ExecutionContext {
  let context: SteppedContext

  func execute(_ job: @escaping @Sendable () -> Void) { context.enqueue(job) }
}
