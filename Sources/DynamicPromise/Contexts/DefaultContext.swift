import Dispatch

/// The private concurrent context, on which handlers run unless another context is given, or
/// ``Promise/defaultContext`` is set.
///
/// Handlers of siblings and of unrelated trees may run in parallel. A long chain leaves its thread to other
/// handlers after each step, if any wait. The system provides the threads. Do not block in handlers: if
/// several do, it may take seconds until another thread starts, and above 257 all of them hang.
public struct DefaultContext: ExecutionContext {
  static let queue = DispatchQueue(label: "DynamicPromise.default", attributes: .concurrent)

  /// Submits `job` to the system's pool.
  public func execute(_ job: @escaping @Sendable () -> Void) { ContextRef.shared.execute(job) }
}

extension ExecutionContext where Self == DefaultContext {
  /// The private concurrent default.
  public static var shared: DefaultContext { DefaultContext() }
}
