// `thenOn(actor)`: handlers that run on an actor, isolated to it where they take it as their first argument.

extension Promise {
  /// Calls `onFulfilled` with the actor and the value, isolated to the actor; what it returns resolves the new promise, what it
  /// throws rejects it. A rejection goes on to the new promise as it is.
  ///
  /// Handlers on one actor run one at a time in the order of their hand-over; see ``ActorContext``. The actor is kept until
  /// the handler has run or can no longer run.
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) throws -> T
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and the handler is not called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, V) throws -> T
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) throws -> Any?
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// Calls `onFulfilled` or `onRejected`, isolated to the actor.
  @discardableResult
  public func thenOn<A: Actor, T, U>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) throws -> T,
    _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), Wrap.actorReason(actor, onRejected))
  }

  /// Calls `onRejected` with the actor and the reason, isolated to the actor; a value goes on as it is.
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
    then(on: Wrap.context(actor), nil, Wrap.actorReason(actor, onRejected))
  }

  /// Starts `onFulfilled` in a task on the actor; its result resolves the new promise. Cancelling that promise cancels the task.
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) async throws -> T
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, V) async throws -> T
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorAsyncValue(actor, onFulfilled), nil)
  }

  /// Calls a handler on the actor that does not touch its state.
  @discardableResult
  public func thenOn<T>(_ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> T)?) -> Promise {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(_ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> T)?) -> Promise {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled)), nil)
  }

  /// Calls a handler on the actor that does not touch its state; either may be missing.
  @discardableResult
  public func thenOn<T, U>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)),
      Wrap.keeping(actor, Wrap.reason(onRejected)))
  }

  /// Calls a rejection handler on the actor that does not touch its state.
  @discardableResult
  public func catchOn<U>(_ actor: some Actor, _ onRejected: (@Sendable (any Error) throws -> U)?) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason(onRejected)))
  }
}

extension Wrap {
  fileprivate static func context(_ actor: some Actor) -> ContextRef? { ContextRef(WeakActorContext(actor)) }

  /// The handler holds the actor, because its context does not.
  fileprivate static func keeping<Input>(
    _ actor: some Actor, _ handler: (@Sendable (Input) throws -> Resolution)?
  ) -> (@Sendable (Input) throws -> Resolution)? {
    guard let handler else { return nil }
    return { input in try withExtendedLifetime(actor) { try handler(input) } }
  }

  /// The job runs in the actor's drain, which the runtime checks.
  fileprivate static func actorValue<A: Actor, V, T>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, V) throws -> T
  ) -> (@Sendable (Any) throws -> Resolution) {
    { value in
      let input = UncheckedBox<V>(try cast(value))
      return try actor.assumeIsolated { UncheckedBox(.of(try handler($0, input.value))) }.value
    }
  }

  /// An error of another type goes on as it is.
  fileprivate static func actorReason<A: Actor, E: Error, U>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, E) throws -> U
  ) -> (@Sendable (any Error) throws -> Resolution) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return try actor.assumeIsolated { UncheckedBox(.of(try handler($0, expected))) }.value
    }
  }

  fileprivate static func actorReason<A: Actor, U>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> (@Sendable (any Error) throws -> Resolution) {
    { reason in try actor.assumeIsolated { UncheckedBox(.of(try handler($0, reason))) }.value }
  }

  /// The handler's task is a promise that the child adopts, so that cancelling the child cancels the task (C4).
  fileprivate static func actorAsyncValue<A: Actor, V, T>(
    _ actor: A, _ handler: @escaping @Sendable (isolated A, V) async throws -> T
  ) -> (@Sendable (Any) throws -> Resolution) {
    { value in
      let input = UncheckedBox<V>(try cast(value))
      return .adopt(Promise { try await call(actor, input, handler).value })
    }
  }

  private static func call<A: Actor, V, T>(
    _ actor: isolated A, _ input: UncheckedBox<V>,
    _ handler: @Sendable (isolated A, V) async throws -> T
  ) async throws -> UncheckedBox<T> {
    UncheckedBox(try await handler(actor, input.value))
  }
}
