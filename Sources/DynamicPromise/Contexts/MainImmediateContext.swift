import Dispatch

/// Runs handlers on the main queue, at once if the caller is already on it. Any other handler is enqueued.
///
/// **Not Promises/A+** on the main queue: violates 2.2.4, and 2.2.6, because a handler that is registered
/// there runs before enqueued handlers. Chains do not recurse.
public struct MainImmediateContext: ExecutionContext {
  /// Runs `job` before it returns if the caller is on the main queue, otherwise enqueues it there.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    if Self.isOnMainQueue { job() } else { DispatchQueue.main.async(execute: job) }
  }

  /// Whether the caller is on the main queue. Outside all blocks, this is also `true` on the main thread.
  static var isOnMainQueue: Bool {
    _ = QueueMark.main
    return DispatchQueue.getSpecific(key: QueueMark.key) === QueueMark.ofMain
  }
}

extension ExecutionContext where Self == MainImmediateContext {
  /// Runs handlers at once if the caller is on the main queue, otherwise like `.main`. Not Promises/A+.
  public static var mainImmediate: MainImmediateContext { MainImmediateContext() }
}
