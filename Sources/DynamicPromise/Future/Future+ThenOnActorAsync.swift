// Made from `Promise+ThenOnActorAsync.swift`: the same operators, on the read-only face.

extension Future {
  /// Starts `onFulfilled` in a task on the actor, isolated to it before and after it suspends; its result resolves the new
  /// promise. Cancelling that promise cancels the task (X3.14).
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) async throws -> T
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, V) async throws -> T
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled), nil)
  }

  /// For asynchronous closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) async throws -> Any?
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled), nil)
  }

  /// Either handler may be asynchronous.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) async throws -> T)?,
    _ onRejected: (@Sendable (isolated A, any Error) async throws -> U)?
  ) -> Future {
    then(
      on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled),
      Wrap.actorAsyncReason(actor, onRejected))
  }
}
