// `catch`: rejection handlers on the promise's default context.

extension Future {
  /// Calls `onRejected` with the reason, on the promise's default context. The handler's result resolves the
  /// new promise; a thrown error rejects it. If this promise is fulfilled, its value is passed on. `nil`
  /// means no handler.
  ///
  /// The handler also runs after a cancellation, because a cancelled promise is rejected.
  @inlinable
  @discardableResult
  public final func `catch`<U>(_ onRejected: (@Sendable (any Error) throws -> U)?) -> Promise {
    add(Handler(reason: onRejected), on: nil)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on. A closure without a
  /// parameter is called for every reason.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func `catch`<E, U>(_ onRejected: @escaping @Sendable (E) throws -> U) -> Promise {
    add(Handler(reason: onRejected), on: nil)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func `catch`(_ onRejected: (@Sendable (any Error) throws -> Any?)?) -> Promise {
    add(Handler(reason: onRejected), on: nil)
  }

  /// Starts `onRejected` with the reason in a task. Cancelling the new promise cancels the task.
  @discardableResult
  public final func `catch`<U>(_ onRejected: (@Sendable (any Error) async throws -> U)?) -> Promise {
    add(Handler(reason: InTask(onRejected)), on: nil)
  }

  /// The same for reasons of type `E` only. Other reasons start no task.
  @_disfavoredOverload
  @discardableResult
  public final func `catch`<E, U>(_ onRejected: @escaping @Sendable (E) async throws -> U) -> Promise {
    add(Handler(reason: InTask(onRejected)), on: nil)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func `catch`(_ onRejected: (@Sendable (any Error) async throws -> Any?)??) -> Promise {
    add(Handler(reason: InTask(onRejected ?? nil)), on: nil)
  }
}
