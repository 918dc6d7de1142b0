// `catch`: rejection handlers on the promise's default context.

extension Future {
  /// Calls `onRejected` with the reason, on the promise's default context. Its result resolves the new
  /// promise, and its error rejects it. A value is passed on to the new promise. `nil` means no handler.
  ///
  /// A cancellation is a rejection too.
  @inlinable
  @discardableResult
  public final func `catch`<U>(_ onRejected: (@Sendable (any Error) throws -> U)?) -> Promise {
    add(Handler(reason: onRejected), on: nil)
  }

  /// The same for a handler without a parameter.
  @inlinable
  @discardableResult
  public final func `catch`<U>(_ onRejected: @escaping @Sendable () throws -> U) -> Promise {
    add(Handler(reason: { (_: any Error) in try onRejected() }), on: nil)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on.
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

  /// For closures without a parameter whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func `catch`(_ onRejected: @escaping @Sendable () throws -> Any?) -> Promise {
    add(Handler(reason: { (_: any Error) in try onRejected() }), on: nil)
  }

  /// Starts `onRejected` with the reason, in a task, from a job on the promise's default context. Its
  /// result resolves the new promise, and its error rejects it. A value is passed on to the new promise.
  /// `nil` means no handler.
  ///
  /// Cancelling the new promise cancels the task.
  @discardableResult
  public final func `catch`<U>(_ onRejected: (@Sendable (any Error) async throws -> U)?) -> Promise {
    add(Handler(asyncReason: onRejected), on: nil)
  }

  /// The same for a handler without a parameter.
  @discardableResult
  public final func `catch`<U>(_ onRejected: @escaping @Sendable () async throws -> U) -> Promise {
    add(Handler(asyncReason: { (_: any Error) in try await onRejected() }), on: nil)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on, and no task is started.
  @_disfavoredOverload
  @discardableResult
  public final func `catch`<E, U>(_ onRejected: @escaping @Sendable (E) async throws -> U) -> Promise {
    add(Handler(asyncReason: onRejected), on: nil)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func `catch`(_ onRejected: (@Sendable (any Error) async throws -> Any?)??) -> Promise {
    add(Handler(asyncReason: onRejected ?? nil), on: nil)
  }
}
