// Made from `Promise+CatchOn.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls `onRejected` with the reason, on `context`; what it returns resolves the new promise, what it throws rejects it.
  /// A value goes on to the new promise as it is.
  @inlinable
  @discardableResult
  public func catchOn<U>(_ context: some ExecutionContext, _ onRejected: (@Sendable (any Error) throws -> U)?)
    -> Future
  {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// Calls a handler that does not look at the reason, on `context`.
  @inlinable
  @discardableResult
  public func catchOn<U>(_ context: some ExecutionContext, _ onRejected: @escaping @Sendable () throws -> U)
    -> Future
  {
    then(on: reference(to: context), Handling(catchingAny: onRejected))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn<E: Error, U>(
    _ context: some ExecutionContext, _ onRejected: @escaping @Sendable (E) throws -> U
  ) -> Future {
    then(on: reference(to: context), Handling(catchingTyped: onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn<E: Error>(
    _ context: some ExecutionContext, _ onRejected: (@Sendable (E) throws -> Any?)?
  ) -> Future {
    then(on: reference(to: context), onRejected.map { Handling(catchingTyped: $0) } ?? Handling(nil, kind: 0))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOn(_ context: some ExecutionContext, _ onRejected: (@Sendable (any Error) throws -> Any?)?)
    -> Future
  {
    then(on: reference(to: context), Handling(catching: onRejected))
  }

  /// Starts `onRejected` in a task, from a job on `context`; its result resolves the new promise.
  @discardableResult
  public func catchOn<U>(
    _ context: some ExecutionContext, _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Future {
    then(on: reference(to: context), nil, Wrap.asyncReason(onRejected))
  }
}
