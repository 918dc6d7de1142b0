// `catchOnMain`: rejection handlers on the main actor.

extension Future {
  /// Calls `onRejected` with the reason, on the main actor. Otherwise like `catch`.
  @inlinable
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: (@MainActor (any Error) throws -> U)?) -> Promise {
    add(Handler(mainReason: onRejected), on: .mainQueue)
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on. A closure without a
  /// parameter is called for every reason.
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

  /// Starts `onRejected` with the reason in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain<U>(_ onRejected: (@MainActor (any Error) async throws -> U)?) -> Promise {
    add(Handler(reason: InMainTask(onRejected)), on: .mainQueue)
  }

  /// The same for reasons of type `E` only. Other reasons start no task.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain<E, U>(_ onRejected: @escaping @MainActor (E) async throws -> U) -> Promise {
    add(Handler(reason: InMainTask(onRejected)), on: .mainQueue)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOnMain(_ onRejected: (@MainActor (any Error) async throws -> Any?)??) -> Promise {
    add(Handler(reason: InMainTask(onRejected ?? nil)), on: .mainQueue)
  }
}
