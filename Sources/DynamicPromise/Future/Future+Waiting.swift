// Waiting for a future: with a blocked thread, for tests and tools, or in asynchronous code.

extension Future {
  /// Blocks this thread until the outcome is there: see ``Promise/wait()``.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  @discardableResult
  public func wait() -> Bool { promise.wait() }

  /// Blocks this thread until the outcome is there; returns the value or throws the reason.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get() throws -> Any { try promise.get() }

  /// The value as a `T`: see ``Promise/get(as:)``.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get<T>(as type: T.Type) throws -> T { try promise.get(as: type) }

  /// The same for at most `timeout` seconds: see ``Promise/get(timeout:)``.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get(timeout: Double) throws -> Any { try promise.get(timeout: timeout) }

  /// The value as a `T`, for at most `timeout` seconds: see ``Promise/get(as:timeout:)``.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get<T>(as type: T.Type, timeout: Double) throws -> T {
    try promise.get(as: type, timeout: timeout)
  }

  #if compiler(>=6.2)
    /// The value, awaited: see ``Promise/value``.
    public nonisolated(nonsending) var value: Any {
      get async throws { try await promise.value }
    }

    /// The same, except that cancelling the waiting task cancels the promise: see ``Promise/cancellingValue``.
    public nonisolated(nonsending) var cancellingValue: Any {
      get async throws { try await promise.cancellingValue }
    }
  #else
    /// The value, awaited: see ``Promise/value``.
    public var value: Any {
      get async throws { try await promise.value }
    }

    /// The same, except that cancelling the waiting task cancels the promise: see ``Promise/cancellingValue``.
    public var cancellingValue: Any {
      get async throws { try await promise.cancellingValue }
    }
  #endif

  /// The value as a `T`, awaited: see ``Promise/value(as:isolation:)``.
  public func value<T>(as type: T.Type, isolation: isolated (any Actor)? = #isolation) async throws
    -> sending T
  {
    try await promise.value(as: type, isolation: isolation)
  }

  /// The same, except that cancelling the waiting task cancels the promise: see ``Promise/cancellingValue(as:isolation:)``.
  public func cancellingValue<T>(as type: T.Type, isolation: isolated (any Actor)? = #isolation) async throws
    -> sending T
  {
    try await promise.cancellingValue(as: type, isolation: isolation)
  }
}
