// `finally`: clean-up after any outcome.

extension Promise {
  /// Calls `body` on the promise's default context when the promise settles, with any outcome, then passes
  /// the outcome on. `body` runs even if the new promise is cancelled before.
  ///
  /// An `Error` that `body` throws or returns rejects the new promise instead, which waits for a promise or
  /// thenable that `body` returns, unless this promise was cancelled by request.
  @inlinable
  @discardableResult
  public func finally<T>(_ body: @escaping @Sendable () throws -> T) -> Promise {
    add(Handler(.afterwards, body), on: nil)
  }

  /// Starts `body` in a task when the promise settles. It is never cancelled.
  @discardableResult
  public func finally<T>(_ body: @escaping @Sendable () async throws -> T) -> Promise {
    add(Handler(finally: InTask { try await body() }), on: nil)
  }

  /// Calls `body` on `context`; `nil` means the promise's default context. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    add(Handler(.afterwards, body), on: reference(to: context))
  }

  /// Calls `body` when the promise settles, in a task that a job on `context` starts. Otherwise like
  /// `finally`.
  @discardableResult
  public func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () async throws -> T
  ) -> Promise {
    add(Handler(finally: InTask { try await body() }), on: reference(to: context))
  }

  /// Calls `body` on the main actor. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public func finallyOnMain<T>(_ body: @escaping @MainActor () throws -> T) -> Promise {
    add(Handler(.afterwards, onMain: body), on: .mainQueue)
  }

  /// Calls `body` when the promise settles, in a task on the main actor. Otherwise like `finally`.
  @_disfavoredOverload
  @discardableResult
  public func finallyOnMain<T>(_ body: @escaping @MainActor () async throws -> T) -> Promise {
    add(Handler(finally: InMainTask { try await body() }), on: .mainQueue)
  }
}
