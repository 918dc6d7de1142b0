// Made from `Promise+BesideActorAny.swift`: the same operators, on the read-only face.

extension Future {
  /// A handler that looks neither at the actor nor at the value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(_ actor: some Actor, _ onFulfilled: @escaping @Sendable () throws -> Any?) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value({ (_: Any) in try onFulfilled() })), nil)
  }

  /// A handler for a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V>(_ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> Any?)??) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled ?? nil)), nil)
  }

  /// Either handler may be missing.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(
    _ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??
  ) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled ?? nil)),
      Wrap.keeping(actor, Wrap.reason(onRejected ?? nil)))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> Any?)??,
    _ onRejected: (@Sendable (any Error) throws -> Any?)??
  ) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled ?? nil)),
      Wrap.keeping(actor, Wrap.reason(onRejected ?? nil)))
  }

  /// Two `nil` literals, which say nothing about which shape they stand for.
  @discardableResult
  public func thenOn(_ actor: some Actor, _ onFulfilled: Never?, _ onRejected: Never?) -> Future {
    then(on: Wrap.context(actor), nil, nil)
  }

  /// Starts `onFulfilled` in a task, from a job on the actor.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(_ actor: some Actor, _ onFulfilled: (@Sendable (Any) async throws -> Any?)??)
    -> Future
  {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.asyncValue(onFulfilled ?? nil)), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V>(_ actor: some Actor, _ onFulfilled: (@Sendable (V) async throws -> Any?)??)
    -> Future
  {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.asyncValue(onFulfilled ?? nil)), nil)
  }

  /// A rejection handler that looks neither at the actor nor at the reason.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(_ actor: some Actor, _ onRejected: @escaping @Sendable () throws -> Any?) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason({ _ in try onRejected() })))
  }

  /// Starts a handler that does not look at the reason, in a task, from a job on the actor; its result resolves the new promise.
  @discardableResult
  public func catchOn<U>(_ actor: some Actor, _ onRejected: @escaping @Sendable () async throws -> U)
    -> Future
  {
    then(
      on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.asyncReason({ _ in try await onRejected() })))
  }

  /// The same with two types of result.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(_ actor: some Actor, _ onRejected: @escaping @Sendable () async throws -> Any?)
    -> Future
  {
    then(
      on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.asyncReason({ _ in try await onRejected() })))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error>(_ actor: some Actor, _ onRejected: (@Sendable (E) throws -> Any?)?)
    -> Future
  {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, onRejected.map { Wrap.typedReason($0) }))
  }
}
