// `finally`: clean-up after any outcome.

extension Future {
  /// Calls `body` on the promise's default context when the promise settles, with any outcome, and passes
  /// the outcome on to the new promise. If `body` throws or returns an `Error`, that rejects the new
  /// promise. If `body` returns a promise or thenable, the outcome is passed on when that is fulfilled; its
  /// rejection rejects the new promise. If this promise was cancelled by request, the new promise does not
  /// wait for it.
  ///
  /// `body` runs even if the new promise is cancelled before.
  @inlinable
  @discardableResult
  public final func finally<T>(_ body: @escaping @Sendable () throws -> T) -> Promise {
    add(Handler(finally: body), on: nil)
  }

  /// Starts `body` in a task, from a job on the promise's default context, when the promise settles, with
  /// any outcome. The outcome is passed on when `body` has returned. The task is never cancelled.
  @discardableResult
  public final func finally<T>(_ body: @escaping @Sendable () async throws -> T) -> Promise {
    add(Handler(asyncFinally: body), on: nil)
  }

  /// Calls `body` on `context` when the promise settles, with any outcome, and passes the outcome on to the
  /// new promise. If `body` throws or returns an `Error`, that rejects the new promise. If `body` returns a
  /// promise or thenable, the outcome is passed on when that is fulfilled; its rejection rejects the new
  /// promise. If this promise was cancelled by request, the new promise does not wait for it.
  ///
  /// `body` runs even if the new promise is cancelled before. A context that is `nil` means the promise's
  /// default context.
  @inlinable
  @discardableResult
  public final func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    add(Handler(finally: body), on: reference(to: context))
  }

  /// Starts `body` in a task, from a job on `context`, when the promise settles, with any outcome. The
  /// outcome is passed on when `body` has returned. The task is never cancelled.
  @discardableResult
  public final func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () async throws -> T
  ) -> Promise {
    add(Handler(asyncFinally: body), on: reference(to: context))
  }

  /// Calls `body` on the main actor when the promise settles, with any outcome, and passes the outcome on
  /// to the new promise. If `body` throws or returns an `Error`, that rejects the new promise. If `body`
  /// returns a promise or thenable, the outcome is passed on when that is fulfilled; its rejection rejects
  /// the new promise. If this promise was cancelled by request, the new promise does not wait for it.
  ///
  /// `body` runs even if the new promise is cancelled before.
  @inlinable
  @discardableResult
  public final func finallyOnMain<T>(_ body: @escaping @MainActor () throws -> T) -> Promise {
    add(Handler(mainFinally: body), on: .mainQueue)
  }

  /// Starts `body` in a task on the main actor when the promise settles, with any outcome. The outcome is
  /// passed on when `body` has returned. The task is never cancelled.
  @_disfavoredOverload
  @discardableResult
  public final func finallyOnMain<T>(_ body: @escaping @MainActor () async throws -> T) -> Promise {
    add(Handler(mainAsyncFinally: body), on: .mainQueue)
  }
}

// MARK: On an actor
//
// All of these overloads are disfavored. Otherwise the compiler would try each of them on every invalid
// closure, with every operator in its body.

extension Future {
  /// Calls `body` with the actor, isolated to the actor, when the promise settles, with any outcome, and
  /// passes the outcome on to the new promise. If `body` throws or returns an `Error`, that rejects the new
  /// promise.
  ///
  /// `body` runs even if the new promise is cancelled before, and the actor is retained until then.
  @_disfavoredOverload
  @discardableResult
  public final func finallyOn<A: Actor, T>(_ actor: A, _ body: @escaping @Sendable (isolated A) throws -> T)
    -> Promise
  {
    add(Handler(actor, finally: body), on: .actor(actor))
  }

  /// Starts `body` with the actor, in a task that is isolated to the actor, when the promise settles, with
  /// any outcome. The outcome is passed on when `body` has returned. The task is never cancelled.
  @_disfavoredOverload
  @discardableResult
  public final func finallyOn<A: Actor, T>(
    _ actor: A, _ body: @escaping @Sendable (isolated A) async throws -> T
  ) -> Promise {
    add(Handler(actor, asyncFinally: body), on: .actor(actor))
  }
}
