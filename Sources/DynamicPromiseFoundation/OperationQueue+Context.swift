import DynamicPromise
import Foundation

/// Every operation queue is an execution context; each handler is an operation.
///
/// A queue of width 1 runs handlers one at a time and in order, unless an operation has a priority or
/// dependencies. On a wider queue handlers are scheduled in order and may overlap; they are not barriers. If
/// an operation is cancelled before it has started, its promise is rejected with `PromiseError.broken`.
extension OperationQueue: WaitAwareContext {
  /// Adds `job` as an operation.
  public func execute(_ job: @escaping @Sendable () -> Void) { addOperation(job) }

  /// Whether the caller is an operation of this queue, and the queue runs one operation at a time.
  public var isBlockedByCaller: Bool { maxConcurrentOperationCount == 1 && OperationQueue.current === self }
}

extension ExecutionContext where Self == OperationQueue {
  /// A new operation queue that runs at most `width` handlers at a time; a width below 1 counts as 1.
  public static func operations(_ name: String, width: Int) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = max(1, width)
    return queue
  }
}
