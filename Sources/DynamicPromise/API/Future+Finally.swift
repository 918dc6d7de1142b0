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
    add(Handler(.afterwards, body), on: nil)
  }

  /// Starts `body` in a task, from a job on the promise's default context, when the promise settles, with
  /// any outcome. The outcome is passed on when `body` has returned. The task is never cancelled.
  @discardableResult
  public final func finally<T>(_ body: @escaping @Sendable () async throws -> T) -> Promise {
    add(Handler(finally: InTask { try await body() }), on: nil)
  }

  /// Calls `body` on `context`; `nil` means the promise's default context. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public final func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    add(Handler(.afterwards, body), on: reference(to: context))
  }

  /// Starts `body` in a task, from a job on `context`.
  @discardableResult
  public final func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () async throws -> T
  ) -> Promise {
    add(Handler(finally: InTask { try await body() }), on: reference(to: context))
  }

  /// Calls `body` on the main actor. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public final func finallyOnMain<T>(_ body: @escaping @MainActor () throws -> T) -> Promise {
    add(Handler(.afterwards, onMain: body), on: .mainQueue)
  }

  /// Starts `body` in a task on the main actor.
  @_disfavoredOverload
  @discardableResult
  public final func finallyOnMain<T>(_ body: @escaping @MainActor () async throws -> T) -> Promise {
    add(Handler(finally: InMainTask { try await body() }), on: .mainQueue)
  }
}
