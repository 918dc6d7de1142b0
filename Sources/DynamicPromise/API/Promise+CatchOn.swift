// `catchOn`: rejection handlers on a named context.

extension Promise {
  /// Calls `onRejected` with the reason, on `context`. Otherwise like `catch`.
  @inlinable
  @discardableResult
  public func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise { add(Handler(reason: onRejected), on: ContextRef(context)) }

  /// Calls `onRejected` with the reason, on `context`, if the reason is an `E`. Otherwise like a typed
  /// `catch`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn<E, U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable (E) throws -> U
  ) -> Promise { add(Handler(reason: onRejected), on: ContextRef(context)) }

  /// An overload for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) throws -> Any?)?
  ) -> Promise { add(Handler(reason: onRejected), on: ContextRef(context)) }

  /// Calls `onRejected` with the reason, in a task that a job on `context` starts.
  @discardableResult
  public func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Promise { add(Handler(reason: Wrap.inTask(onRejected)), on: ContextRef(context)) }

  /// Starts a task, from a job on `context`, if the reason is an `E`. Any other reason is passed on.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E, U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Promise { add(Handler(reason: Wrap.inTask(onRejected)), on: ContextRef(context)) }

  /// An overload for asynchronous closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise { add(Handler(reason: Wrap.inTask(onRejected ?? nil)), on: ContextRef(context)) }
}
