/// Where handlers run.
///
/// A context is given jobs, those for the handlers of one promise in the order of registration. It runs each
/// job once, at a time and on a thread of its choosing, but never on the stack of `execute` if the handlers
/// are to keep Promises/A+ (2.2.4 there).
///
/// Any type may conform. If a context drops a job that it has not run, the job's promise is rejected with
/// ``PromiseError/broken`` as soon as the last reference to the job is gone, even inside of `execute`. A
/// second run of a job does nothing. A job that is kept after its run keeps nothing else alive.
public protocol ExecutionContext: Sendable {
  /// Enqueues a job. Called with nothing locked, on the thread that has settled the promise or registered the
  /// handler.
  func execute(_ job: @escaping @Sendable () -> Void)
}

/// Runs handlers at once, on the stack that settles the promise or registers the handler.
///
/// **Not Promises/A+**: breaks 2.2.4, by design. Chains do not recurse: each handler starts after the one
/// before has returned. A handler that blocks also blocks the caller, and what else that call causes to run:
/// later handlers of the same promise, and those of promises that settle with it.
public struct ImmediateContext: ExecutionContext {
  /// All are alike.
  public init() {}

  /// Runs `job` before it returns.
  public func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

extension ExecutionContext where Self == ImmediateContext {
  /// Runs handlers at once, on the stack that settles or registers. Not Promises/A+ (2.2.4).
  public static var immediate: ImmediateContext { ImmediateContext() }
}
