/// A place where handlers run, such as a queue or an actor. Any type may conform.
///
/// A context receives jobs and runs each job once, at any time and on any thread. It receives the jobs for
/// the handlers of one promise in the order of registration. A context that conforms to Promises/A+ (2.2.4)
/// never runs a job on the stack of `execute`. If a context drops a job, the job's promise is rejected with
/// ``PromiseError/broken``. A second run of a job has no effect.
public protocol ExecutionContext: Sendable {
  /// Enqueues a job. Called without a lock, on the thread that settled or registered.
  func execute(_ job: @escaping @Sendable () -> Void)
}

/// Runs handlers at once, on the stack that settles the promise or registers the handler.
///
/// **Not Promises/A+**: violates 2.2.4 by design. Chains do not recurse: each handler starts after the
/// previous handler has returned. A handler that blocks also blocks the caller and later handlers.
public struct ImmediateContext: ExecutionContext {
  /// Runs `job` before it returns.
  public func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

extension ExecutionContext where Self == ImmediateContext {
  /// Runs handlers at once, on the stack that settles or registers. Not Promises/A+ (2.2.4).
  public static var immediate: ImmediateContext { ImmediateContext() }
}
