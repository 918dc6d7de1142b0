// `catchOn`: rejection handlers on a named context.

extension Future {
  /// Calls `onRejected` with the reason, on `context`; `nil` means the promise's default context. Otherwise
  /// like `catch`.
  @inlinable
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    add(Handler(reason: onRejected), on: reference(to: context))
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on. A closure without a
  /// parameter is called for every reason.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOn<E, U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable (E) throws -> U
  ) -> Promise {
    add(Handler(reason: onRejected), on: reference(to: context))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) throws -> Any?)?
  ) -> Promise {
    add(Handler(reason: onRejected), on: reference(to: context))
  }

  /// A job on `context` starts a task, which calls `onRejected` with the reason.
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Promise {
    add(Handler(reason: InTask(onRejected)), on: reference(to: context))
  }

  /// The same for reasons of type `E` only. Other reasons start no task.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<E, U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Promise {
    add(Handler(reason: InTask(onRejected)), on: reference(to: context))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    add(Handler(reason: InTask(onRejected ?? nil)), on: reference(to: context))
  }
}
