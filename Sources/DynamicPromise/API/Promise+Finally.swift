// `finally`: clean-up after any outcome.

extension Promise {
  /// Calls `body` on the promise's default context when the promise settles, with any outcome, then passes
  /// the outcome on. `body` runs even if the new promise is cancelled before.
  ///
  /// An `Error` that `body` throws or returns rejects the new promise instead, which waits for a promise or
  /// thenable that `body` returns, unless this promise was cancelled by request.
  @inlinable
  @discardableResult
  public func finally<T>(
    _ body: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, body), on: nil).at(fileID, line)
  }

  /// Starts `body` in a task when the promise settles. It is never cancelled.
  @discardableResult
  public func finally<T>(
    _ body: @escaping @Sendable () async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, Wrap.inTask { try await body() }), on: nil).at(fileID, line)
  }

  /// Calls `body` on `context`; `nil` means the promise's default context. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, body), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `body` when the promise settles, in a task that a job on `context` starts. Otherwise like
  /// `finally`.
  @discardableResult
  public func finallyOn<T>(
    _ context: (any ExecutionContext)?, _ body: @escaping @Sendable () async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, Wrap.inTask { try await body() }), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `body` on the main actor. Otherwise like `finally`.
  @inlinable
  @discardableResult
  public func finallyOnMain<T>(
    _ body: @escaping @MainActor () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, Wrap.onMain(body)), on: .mainQueue).at(fileID, line)
  }

  /// Calls `body` when the promise settles, in a task on the main actor. Otherwise like `finally`.
  @_disfavoredOverload
  @discardableResult
  public func finallyOnMain<T>(
    _ body: @escaping @MainActor () async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(.afterwards, Wrap.inMainTask { try await body() }), on: .mainQueue).at(fileID, line)
  }
}
