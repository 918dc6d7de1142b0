// `catchOnMain`: rejection handlers on the main actor.

extension Promise {
  /// Calls `onRejected` with the reason, on the main actor. Otherwise like `catch`.
  @inlinable
  @discardableResult
  public func catchOnMain<U>(_ onRejected: (@MainActor (any Error) throws -> U)?) -> Promise {
    add(Handler(reason: Wrap.onMain(onRejected)), on: .mainQueue)
  }

  /// Calls `onRejected` with the reason, on the main actor, if the reason is an `E`. Otherwise like a typed
  /// `catch`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain<E, U>(_ onRejected: @escaping @MainActor (E) throws -> U) -> Promise {
    add(Handler(reason: Wrap.onMain(onRejected)), on: .mainQueue)
  }

  /// An overload for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func catchOnMain(_ onRejected: (@MainActor (any Error) throws -> Any?)?) -> Promise {
    add(Handler(reason: Wrap.onMain(onRejected)), on: .mainQueue)
  }

  /// Starts a task on the main actor, which calls `onRejected` with the reason.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<U>(_ onRejected: (@MainActor (any Error) async throws -> U)?) -> Promise {
    add(Handler(reason: Wrap.inMainTask(onRejected)), on: .mainQueue)
  }

  /// Starts a task on the main actor if the reason is an `E`. Any other reason is passed on.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain<E, U>(_ onRejected: @escaping @MainActor (E) async throws -> U) -> Promise {
    add(Handler(reason: Wrap.inMainTask(onRejected)), on: .mainQueue)
  }

  /// An overload for asynchronous closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func catchOnMain(_ onRejected: (@MainActor (any Error) async throws -> Any?)??) -> Promise {
    add(Handler(reason: Wrap.inMainTask(onRejected ?? nil)), on: .mainQueue)
  }
}
