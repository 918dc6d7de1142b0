// `catchOnMain`: rejection handlers on the main actor.

extension Future {
  /// Calls `onRejected` with the reason, on the main actor. Its result resolves the new promise, and its
  /// error rejects it. A value is passed on to the new promise. `nil` means no handler.
  ///
  /// A cancellation is a rejection too.
  @inlinable
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: (@MainActor (any Error) throws -> U)?) -> Promise {
    add(Handler(mainReason: onRejected), on: .mainQueue)
  }

  /// The same for a handler without a parameter.
  @inlinable
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: @escaping @MainActor () throws -> U) -> Promise {
    add(Handler(mainReason: { (_: any Error) in try onRejected() }), on: .mainQueue)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOnMain<E, U>(_ onRejected: @escaping @MainActor (E) throws -> U) -> Promise {
    add(Handler(mainReason: onRejected), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOnMain(_ onRejected: (@MainActor (any Error) throws -> Any?)?) -> Promise {
    add(Handler(mainReason: onRejected), on: .mainQueue)
  }

  /// For closures without a parameter whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOnMain(_ onRejected: @escaping @MainActor () throws -> Any?) -> Promise {
    add(Handler(mainReason: { (_: any Error) in try onRejected() }), on: .mainQueue)
  }

  /// Starts `onRejected` with the reason, in a task on the main actor. Its result resolves the new promise,
  /// and its error rejects it. A value is passed on to the new promise. `nil` means no handler.
  ///
  /// Cancelling the new promise cancels the task.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: (@MainActor (any Error) async throws -> U)?) -> Promise {
    add(Handler(mainAsyncReason: onRejected), on: .mainQueue)
  }

  /// The same for a handler without a parameter.
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: @escaping @MainActor () async throws -> U) -> Promise {
    add(Handler(mainAsyncReason: { (_: any Error) in try await onRejected() }), on: .mainQueue)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on, and no task is started.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain<E, U>(_ onRejected: @escaping @MainActor (E) async throws -> U) -> Promise {
    add(Handler(mainAsyncReason: onRejected), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain(_ onRejected: (@MainActor (any Error) async throws -> Any?)??) -> Promise {
    add(Handler(mainAsyncReason: onRejected ?? nil), on: .mainQueue)
  }
}
