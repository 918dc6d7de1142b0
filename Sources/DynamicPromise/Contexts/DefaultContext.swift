import Dispatch

/// The private concurrent context on which handlers run unless another is named: handlers of siblings and of
/// unrelated trees may run in parallel, and none is queued behind another one that blocks.
/// ``Promise/defaultContext`` can be another.
public struct DefaultContext: ExecutionContext {
  static let queue: DispatchQueue = {
    let queue = DispatchQueue(label: "DynamicPromise.default", attributes: .concurrent)
    QueueMark.ofDefault.enter(queue)
    return queue
  }()

  /// The one private context.
  public init() {}

  /// Submits `job` to the system's pool.
  public func execute(_ job: @escaping @Sendable () -> Void) { Self.queue.async(execute: job) }
}

extension ExecutionContext where Self == DefaultContext {
  /// The private concurrent default.
  public static var shared: DefaultContext { DefaultContext() }
}
