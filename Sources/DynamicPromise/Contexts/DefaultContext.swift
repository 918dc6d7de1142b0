import Dispatch

/// The private concurrent context, on which handlers run unless another context is given, or
/// ``Promise/defaultContext`` is set.
///
/// Handlers of siblings and of unrelated trees may run in parallel, and no handler waits behind a handler
/// that blocks. A long chain leaves its thread to other handlers after each step, if any wait. The system
/// provides the threads. If several handlers block, it may take seconds until another thread starts. If more
/// than 257 handlers block until another handler has run, no thread is left, and all of them hang without
/// ``PromiseError/wouldDeadlock``.
public struct DefaultContext: ExecutionContext {
  static let queue: DispatchQueue = {
    let queue = DispatchQueue(label: "DynamicPromise.default", attributes: .concurrent)
    QueueMark.ofDefault.enter(queue)
    return queue
  }()

  /// Submits `job` to the system's pool.
  public func execute(_ job: @escaping @Sendable () -> Void) { Self.queue.async(execute: job) }
}

extension ExecutionContext where Self == DefaultContext {
  /// The private concurrent default.
  public static var shared: DefaultContext { DefaultContext() }
}
