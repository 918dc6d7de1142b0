// `catchOn(actor)`: rejection handlers that are isolated to the actor, which they take as their first argument.

extension Promise {
  /// Calls `onRejected` with the actor and the reason, isolated to the actor; what it returns resolves the new promise, what
  /// it throws rejects it. A value goes on to the new promise as it is.
  ///
  /// Order and lifetime are those of `thenOn(actor)` (X3.11, X3.13).
  @discardableResult
  public func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorReason(actor, onRejected))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, E: Error, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, E) throws -> U
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorTypedReason(actor, onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, E: Error>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, E) throws -> Any?)?
  ) -> Promise {
    then(on: Wrap.context(actor), nil, onRejected.map { Wrap.actorTypedReason(actor, $0) })
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> Any?
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorReason(actor, onRejected))
  }

  /// Starts `onRejected` in a task on the actor, isolated to it before and after it suspends; its result resolves the new
  /// promise. Cancelling that promise cancels the task (X3.14).
  @discardableResult
  public func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) async throws -> U
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorAsyncReason(actor, onRejected))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<A: Actor, E: Error, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, E) async throws -> U
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorAsyncTypedReason(actor, onRejected))
  }
}
