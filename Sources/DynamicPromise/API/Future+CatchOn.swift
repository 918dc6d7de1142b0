// `catchOn`: rejection handlers on a context of one's choice.

extension Future {
  /// Calls `onRejected` with the reason, on `context`; what it returns resolves the new promise, what it
  /// throws rejects it. A value goes on to the new promise as it is. `nil` means no handler, and as a
  /// context the promise's default context.
  ///
  /// A cancellation is a rejection, too.
  @inlinable
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) throws -> U)?
  ) -> Promise {
    add(Handler(reason: onRejected), on: reference(to: context))
  }

  /// The same for a handler without a parameter.
  @inlinable
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable () throws -> U
  ) -> Promise {
    add(Handler(reason: { (_: any Error) in try onRejected() }), on: reference(to: context))
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason goes on as it is.
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

  /// For closures without a parameter whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public final func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable () throws -> Any?
  ) -> Promise {
    add(Handler(reason: { (_: any Error) in try onRejected() }), on: reference(to: context))
  }

  /// Starts `onRejected` with the reason, in a task, from a job on `context`; what it returns resolves the
  /// new promise, what it throws rejects it. A value goes on to the new promise as it is. `nil` means
  /// no handler.
  ///
  /// Cancelling the new promise cancels the task.
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> U)?
  ) -> Promise {
    add(Handler(asyncReason: onRejected), on: reference(to: context))
  }

  /// The same for a handler without a parameter.
  @discardableResult
  public final func catchOn<U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable () async throws -> U
  ) -> Promise {
    add(Handler(asyncReason: { (_: any Error) in try await onRejected() }), on: reference(to: context))
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason goes on as it is, and no task is
  /// started.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<E, U>(
    _ context: (any ExecutionContext)?, _ onRejected: @escaping @Sendable (E) async throws -> U
  ) -> Promise {
    add(Handler(asyncReason: onRejected), on: reference(to: context))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn(
    _ context: (any ExecutionContext)?, _ onRejected: (@Sendable (any Error) async throws -> Any?)??
  ) -> Promise {
    add(Handler(asyncReason: onRejected ?? nil), on: reference(to: context))
  }
}

// MARK: On an actor
//
// All of these overloads are disfavoured. Otherwise the compiler would try each of them on every closure that
// it cannot check, together with every operator in that closure's body.

extension Future {
  /// Calls `onRejected` with the actor and the reason, isolated to the actor; what it returns resolves the
  /// new promise, what it throws rejects it. A value goes on to the new promise as it is.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> Promise {
    add(Handler(actor, reason: onRejected), on: .actor(actor))
  }

  /// The same for reasons of type `E` only; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, E, U>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, E) throws -> U)??
  ) -> Promise {
    add(Handler(actor, reason: onRejected ?? nil), on: .actor(actor))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, any Error) throws -> Any?)??
  ) -> Promise {
    add(Handler(actor, reason: onRejected ?? nil), on: .actor(actor))
  }

  /// Starts `onRejected` with the actor and the reason, in a task that is isolated to the actor; what it
  /// returns resolves the new promise, what it throws rejects it. A value goes on to the new promise as it
  /// is.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) async throws -> U
  ) -> Promise {
    add(Handler(actor, asyncReason: onRejected), on: .actor(actor))
  }

  /// The same for reasons of type `E` only; any other goes on as it is.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, E, U>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, E) async throws -> U)??
  ) -> Promise {
    add(Handler(actor, asyncReason: onRejected ?? nil), on: .actor(actor))
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor>(
    _ actor: A, _ onRejected: (@Sendable (isolated A, any Error) async throws -> Any?)??
  ) -> Promise {
    add(Handler(actor, asyncReason: onRejected ?? nil), on: .actor(actor))
  }
}
