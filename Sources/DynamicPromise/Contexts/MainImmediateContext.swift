import Dispatch

/// The main queue, without a detour for callers that are on it already: a handler whose promise settles on
/// the main queue, or that is registered there on a settled promise, runs at once; any other is enqueued.
///
/// **Not Promises/A+** on the main queue: breaks 2.2.4, and 2.2.6, because a handler that is registered there
/// runs before those that are still enqueued. Chains do not recurse. In a handler that runs at once,
/// ``CurrentContext`` is the context of the stack.
public struct MainImmediateContext: ExecutionContext {
  /// All are alike.
  public init() {}

  /// Runs `job` before it returns if the caller is on the main queue, else enqueues it there.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    if Self.isOnMainQueue { job() } else { DispatchQueue.main.async(execute: job) }
  }

  /// Dispatch counts the main thread outside of all queues' blocks as being on the main queue.
  static var isOnMainQueue: Bool {
    _ = QueueMark.main
    return DispatchQueue.getSpecific(key: QueueMark.key) === QueueMark.ofMain
  }
}

extension ExecutionContext where Self == MainImmediateContext {
  /// At once on the main queue, otherwise like `.main`. Not Promises/A+ (2.2.4, 2.2.6).
  public static var mainImmediate: MainImmediateContext { MainImmediateContext() }
}
