// `thenOn` with an actor: handlers that are isolated to the actor and take it as their first parameter.
//
// All of these overloads are disfavored. Otherwise the compiler would try each of them on every invalid
// closure of `thenOn`, with every operator in its body.

extension Future {
  /// Calls `onFulfilled` with the actor and the value, isolated to the actor. Its result resolves the new
  /// promise, and its error rejects it. A rejection is passed on to the new promise.
  ///
  /// Handlers on one actor run one at a time, in the order in which they were scheduled. The actor is
  /// retained until the handler has run or can no longer run. For a closure that does not take the actor,
  /// write `thenOn(.actor(a)) { ... }`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) throws -> T
  ) -> Promise {
    add(Handler(actor, value: onFulfilled), on: .actor(actor))
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and the handler is not called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(actor, value: onFulfilled ?? nil).placed(V.self, fileID, line), on: .actor(actor))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> Any?)??
  ) -> Promise {
    add(Handler(actor, value: onFulfilled ?? nil), on: .actor(actor))
  }

  /// Calls `onFulfilled` or `onRejected` with the actor and the outcome, isolated to the actor. Without a
  /// handler for the outcome, the outcome is passed on.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> T)?,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> Promise {
    add(Handler(actor, value: onFulfilled, reason: onRejected), on: .actor(actor))
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)???,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(actor, value: (onFulfilled ?? nil) ?? nil, reason: onRejected).placed(V.self, fileID, line),
      on: .actor(actor))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`. Either may be
  /// `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> Any?)??,
    _ onRejected: (@Sendable (isolated A, any Error) throws -> Any?)??
  ) -> Promise {
    add(Handler(actor, value: onFulfilled ?? nil, reason: onRejected ?? nil), on: .actor(actor))
  }

  /// A `nil` literal for the rejection handler.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) throws -> T)?, _ onRejected: Never?
  ) -> Promise {
    add(Handler(actor, value: onFulfilled), on: .actor(actor))
  }

  /// A `nil` literal for the rejection handler, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) throws -> T)???, _ onRejected: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(actor, value: (onFulfilled ?? nil) ?? nil).placed(V.self, fileID, line), on: .actor(actor))
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, U>(
    _ actor: A, _ onFulfilled: Never?, _ onRejected: (@Sendable (isolated A, any Error) throws -> U)?
  ) -> Promise {
    add(Handler(actor, reason: onRejected), on: .actor(actor))
  }

  /// Starts `onFulfilled` with the actor and the value, in a task that is isolated to the actor. Its result
  /// resolves the new promise, and its error rejects it. A rejection is passed on to the new promise.
  ///
  /// Other calls of the actor may run where the handler suspends. Cancelling the new promise cancels the
  /// task.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: @escaping @Sendable (isolated A, Any) async throws -> T
  ) -> Promise {
    add(Handler(actor, asyncValue: onFulfilled), on: .actor(actor))
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and the handler is not called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) async throws -> T)??,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(actor, asyncValue: onFulfilled ?? nil).placed(V.self, fileID, line), on: .actor(actor))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) async throws -> Any?)??
  ) -> Promise {
    add(Handler(actor, asyncValue: onFulfilled ?? nil), on: .actor(actor))
  }

  /// Starts `onFulfilled` or `onRejected` with the actor and the outcome, in a task that is isolated to the
  /// actor. Without a handler for the outcome, the outcome is passed on.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) async throws -> T)?,
    _ onRejected: (@Sendable (isolated A, any Error) async throws -> U)?
  ) -> Promise {
    add(Handler(actor, asyncValue: onFulfilled, asyncReason: onRejected), on: .actor(actor))
  }

  /// The same with the value as a `V`. A value of another type rejects the new promise with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``, and neither handler is called.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T, U>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) async throws -> T)???,
    _ onRejected: (@Sendable (isolated A, any Error) async throws -> U)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(actor, asyncValue: (onFulfilled ?? nil) ?? nil, asyncReason: onRejected).placed(
        V.self, fileID, line), on: .actor(actor))
  }

  /// A `nil` literal for the rejection handler.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, Any) async throws -> T)?, _ onRejected: Never?
  ) -> Promise {
    add(Handler(actor, asyncValue: onFulfilled), on: .actor(actor))
  }

  /// A `nil` literal for the rejection handler, with the value as a `V`.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, V, T>(
    _ actor: A, _ onFulfilled: (@Sendable (isolated A, V) async throws -> T)???, _ onRejected: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(actor, asyncValue: (onFulfilled ?? nil) ?? nil).placed(V.self, fileID, line), on: .actor(actor))
  }

  /// A `nil` literal for the fulfillment handler.
  @_disfavoredOverload
  @discardableResult
  public final func thenOn<A: Actor, U>(
    _ actor: A, _ onFulfilled: Never?, _ onRejected: (@Sendable (isolated A, any Error) async throws -> U)?
  ) -> Promise {
    add(Handler(actor, asyncReason: onRejected), on: .actor(actor))
  }
}
