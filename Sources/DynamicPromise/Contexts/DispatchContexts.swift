import Dispatch

/// Every dispatch queue is an execution context. On a serial queue handlers run in order with the queue's
/// other blocks. On a concurrent queue each handler runs as a barrier; ``ReadingContext`` is the queue
/// without it. A global queue has no barriers, so handlers on it may overlap.
extension DispatchQueue: ExecutionContext {
  /// Enqueues `job`, as a barrier if the queue is concurrent.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    async(flags: .barrier, execute: job)
  }
}

/// A dispatch queue without a barrier, for handlers that only read state that the queue guards. They may
/// overlap with each other, but never with a handler that runs as a barrier.
public struct ReadingContext: ExecutionContext {
  let queue: DispatchQueue

  /// Enqueues `job` without a barrier.
  public func execute(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}

extension ExecutionContext where Self == DispatchQueue {
  /// The main queue.
  public static var main: DispatchQueue { DispatchQueue.main }

  /// A new serial queue.
  public static func serial(_ label: String) -> DispatchQueue { DispatchQueue(label: label) }

  /// A new concurrent queue. Each handler runs as a barrier.
  public static func concurrent(_ label: String) -> DispatchQueue {
    DispatchQueue(label: label, attributes: .concurrent)
  }
}

extension ExecutionContext where Self == ReadingContext {
  /// `queue` without a barrier, for handlers that only read.
  public static func reading(_ queue: DispatchQueue) -> ReadingContext { ReadingContext(queue: queue) }
}
