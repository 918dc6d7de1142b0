// Made from `Promise+BesideActor.swift`: the same operators, on the read-only face.

extension Future {
  /// Calls a handler on the actor that does not touch its state. A rejection goes on to the new promise as it is.
  @discardableResult
  public func thenOn<T>(_ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> T)?) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)), nil)
  }

  /// Calls a handler on the actor that looks neither at the actor nor at the value.
  @discardableResult
  public func thenOn<T>(_ actor: some Actor, _ onFulfilled: @escaping @Sendable () throws -> T) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value({ (_: Any) in try onFulfilled() })), nil)
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and the handler is not called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(_ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> T)?) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled)), nil)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn(_ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> Any?)?) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)), nil)
  }

  /// Calls a handler on the actor that does not touch its state; either may be missing.
  @discardableResult
  public func thenOn<T, U>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)),
      Wrap.keeping(actor, Wrap.reason(onRejected)))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T, U>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> T)?,
    _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(
      on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled)),
      Wrap.keeping(actor, Wrap.reason(onRejected)))
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func thenOn<T>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (Any) throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.value(onFulfilled)), nil)
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ actor: some Actor, _ onFulfilled: (@Sendable (V) throws -> T)?, _ onRejected: Never?
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.typed(onFulfilled)), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<U>(
    _ actor: some Actor, _ onFulfilled: Never?, _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason(onRejected)))
  }

  /// Calls a rejection handler on the actor that does not touch its state. A value goes on to the new promise as it is.
  @discardableResult
  public func catchOn<U>(_ actor: some Actor, _ onRejected: (@Sendable (any Error) throws -> U)?) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason(onRejected)))
  }

  /// Calls a rejection handler on the actor that looks neither at the actor nor at the reason.
  @discardableResult
  public func catchOn<U>(_ actor: some Actor, _ onRejected: @escaping @Sendable () throws -> U) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason({ _ in try onRejected() })))
  }

  /// Calls `onRejected` for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error, U>(
    _ actor: some Actor, _ onRejected: @escaping @Sendable (E) throws -> U
  ) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.typedReason(onRejected)))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func catchOn(_ actor: some Actor, _ onRejected: (@Sendable (any Error) throws -> Any?)?) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.reason(onRejected)))
  }
  /// Starts `onFulfilled` in a task, from a job on the actor; its result resolves the new promise. Cancelling that promise
  /// cancels the task.
  ///
  /// The task itself is not the actor's, as that of no closure is that suspends and does not take the actor.
  @discardableResult
  public func thenOn<T>(
    _ actor: some Actor, _ onFulfilled: @escaping @Sendable (Any) async throws -> T
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.asyncValue(onFulfilled)), nil)
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<V, T>(
    _ actor: some Actor, _ onFulfilled: @escaping @Sendable (V) async throws -> T
  ) -> Future {
    then(on: Wrap.context(actor), Wrap.keeping(actor, Wrap.asyncValue(onFulfilled)), nil)
  }

  /// Starts `onRejected` in a task, from a job on the actor; its result resolves the new promise.
  @discardableResult
  public func catchOn<U>(
    _ actor: some Actor, _ onRejected: @escaping @Sendable (any Error) async throws -> U
  ) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.asyncReason(onRejected)))
  }

  /// The same for reasons of type `E`; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public func catchOn<E: Error, U>(
    _ actor: some Actor, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Future {
    then(on: Wrap.context(actor), nil, Wrap.keeping(actor, Wrap.asyncTypedReason(onRejected)))
  }
}
