/// Where handlers run.
///
/// A context gets jobs, in the order of registration for the handlers of one promise, and runs each of them
/// once, at a time and on a thread of its choosing. It must not run a job on the stack of `execute` if the
/// handlers are to keep Promises/A+ (2.2.4 there).
///
/// Any type may conform: a job is self-contained. A job that is dropped without having been run rejects its
/// promise with ``PromiseError/broken`` as soon as the last reference to it is gone, also inside of
/// `execute`; a second run of the same job is ignored, and a job that is kept after its run keeps nothing.
public protocol ExecutionContext: Sendable {
  /// Enqueues a job. Called without any lock held, on whichever thread settled the promise or registered the
  /// handler.
  func execute(_ job: @escaping @Sendable () -> Void)
}

/// Runs handlers at once, on the stack that settles the promise or registers the handler.
///
/// **Not Promises/A+**: breaks 2.2.4, by design. Chains of it do not recurse: each handler starts after the
/// one before has returned. A handler that blocks blocks the caller and whatever else follows from the same
/// call: later handlers of the same promise, and those of promises that settle with it.
public struct ImmediateContext: ExecutionContext {
  /// All immediate contexts are alike.
  public init() {}

  /// Runs `job` before it returns.
  public func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

extension ExecutionContext where Self == ImmediateContext {
  /// Runs handlers at once, on the stack that settles or registers. Not Promises/A+ (2.2.4).
  public static var immediate: ImmediateContext { ImmediateContext() }
}
