// `catch`: rejection handlers on the promise's default context.

extension Promise {
  /// Calls `onRejected` with the reason, on the promise's default context; what it returns resolves the new promise, what it throws rejects it.
  /// A value goes on to the new promise as it is.
  @inlinable
  @discardableResult
  public func `catch`<U>(_ onRejected: (@Sendable (any Error) throws -> U)?) -> Promise {
    then(on: nil, Handling(catching: onRejected))
  }

  /// Calls a handler that does not look at the reason, on the promise's default context.
  @inlinable
  @discardableResult
  public func `catch`<U>(_ onRejected: @escaping @Sendable () throws -> U) -> Promise {
    then(on: nil, Handling(catchingAny: onRejected))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`<E: Error, U>(_ onRejected: @escaping @Sendable (E) throws -> U) -> Promise {
    then(on: nil, Handling(catchingTyped: onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`<E: Error>(_ onRejected: (@Sendable (E) throws -> Any?)?) -> Promise {
    then(on: nil, onRejected.map { Handling(catchingTyped: $0) } ?? Handling(nil, kind: 0))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func `catch`(_ onRejected: (@Sendable (any Error) throws -> Any?)?) -> Promise {
    then(on: nil, Handling(catching: onRejected))
  }

  /// Starts `onRejected` in a task, from a job on the promise's default context; its result resolves the new promise.
  @discardableResult
  public func `catch`<U>(_ onRejected: (@Sendable (any Error) async throws -> U)?) -> Promise {
    then(on: nil, nil, Wrap.asyncReason(onRejected))
  }
}
