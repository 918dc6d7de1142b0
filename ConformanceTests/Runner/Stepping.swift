import DynamicPromise
import PromisesAPlusSuite

/// A context of the suite as a context of the library, for random programs.
struct Stepping: ExecutionContext {
  let context: SteppedContext

  func execute(_ job: @escaping @Sendable () -> Void) { context.enqueue(job) }
}
