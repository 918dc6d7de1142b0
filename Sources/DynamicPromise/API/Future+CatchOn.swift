// `catchOn`: rejection handlers on a named context.

extension Future {
  /// Calls `onRejected` with the reason, on `context`. Its result resolves the new promise, and its error
  /// rejects it. A value is passed on to the new promise. `nil` means no handler, and as a context the
  /// promise's default context.
  ///
  /// A cancellation is a rejection too.
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
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on.
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

  /// Starts `onRejected` with the reason, in a task, from a job on `context`. Its result resolves the new
  /// promise, and its error rejects it. A value is passed on to the new promise. `nil` means no handler.
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
  /// wrapped in ``PromiseError/rejected(reason:)``. Any other reason is passed on, and no task is started.
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
// All of these overloads are disfavored. Otherwise the compiler would try each of them on every invalid
// closure, with every operator in its body.

extension Future {
  /// Calls `onRejected` with the actor and the reason, isolated to the actor. Its result resolves the new
  /// promise, and its error rejects it. A value is passed on to the new promise.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) throws -> U
  ) -> Promise {
    add(Handler(actor, reason: onRejected), on: .actor(actor))
  }

  /// The same for reasons of type `E` only; any other is passed on.
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

  /// Starts `onRejected` with the actor and the reason, in a task that is isolated to the actor. Its result
  /// resolves the new promise, and its error rejects it. A value is passed on to the new promise.
  @_disfavoredOverload
  @discardableResult
  public final func catchOn<A: Actor, U>(
    _ actor: A, _ onRejected: @escaping @Sendable (isolated A, any Error) async throws -> U
  ) -> Promise {
    add(Handler(actor, asyncReason: onRejected), on: .actor(actor))
  }

  /// The same for reasons of type `E` only; any other is passed on.
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
