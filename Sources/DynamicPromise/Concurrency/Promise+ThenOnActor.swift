// `thenOn(actor)`: handlers that are isolated to the actor, which they take as their first argument.
//
// Where a parameter is twice optional, that puts the shape behind those with a type of result: they are taken wherever they will do.

extension Promise {
  /// Calls `onFulfilled` with the actor and the value, isolated to the actor; what it returns resolves the new promise, what it
  /// throws rejects it. A rejection goes on to the new promise as it is.
  ///
  /// Handlers on one actor run one at a time in the order of their hand-over (X3.11); see ``ActorContext``. The actor is kept
  /// until the handler has run or can no longer run.
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

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> Any?)?
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// Calls `onFulfilled` or `onRejected`, isolated to the actor. Without a handler for the outcome, the outcome goes on as it
  /// is (2.2.7).
  @discardableResult
  public func thenOn<A: Actor, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> T)?,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), Wrap.actorReason(actor, onRejected))
  }

  /// The same with a typed value; one of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)?,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), Wrap.actorReason(actor, onRejected))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> Any?)??,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> Any?)??
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled ?? nil),
      Wrap.actorReason(actor, onRejected ?? nil))
  }

  /// The same with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> Any?)??,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> Any?)??
  ) -> Promise {
    then(
      on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled ?? nil),
      Wrap.actorReason(actor, onRejected ?? nil))
  }

  /// A `nil` literal for the rejection handler.
  @discardableResult
  public func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> T)?, _ onRejected: Never?
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// A `nil` literal for the rejection handler, with a typed value.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)?, _ onRejected: Never?
  ) -> Promise {
    then(on: Wrap.context(actor), Wrap.actorValue(actor, onFulfilled), nil)
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public func thenOn<A: Actor, U>(
    _ actor: A, _ onFulfilled: Never?, _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> Promise {
    then(on: Wrap.context(actor), nil, Wrap.actorReason(actor, onRejected))
  }
}
