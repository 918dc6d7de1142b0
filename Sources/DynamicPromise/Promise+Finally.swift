// `finally`: cleaning up, whatever the outcome.

extension Promise {
  /// Calls `body` when the promise settles either way, on the default context; the outcome goes on as it is, unless `body`
  /// throws or returns an `Error`, which rejects the new promise. If `body` returns a promise or thenable, the
  /// outcome goes on when that is fulfilled. `body` runs even if the new promise is cancelled before (C9).
  @inlinable
  @discardableResult
  public func finally<T>(_ body: @escaping @Sendable () throws -> T) -> Promise {
    then(on: nil, Handling(finally: Direct(ignoring: body)))
  }

  /// The same on `context`.
  @inlinable
  @discardableResult
  public func finallyOn<T>(
    _ context: some ExecutionContext, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    then(on: reference(to: context), Handling(finally: Direct(ignoring: body)))
  }

  /// The same on the main queue, isolated to the main actor.
  @inlinable
  @discardableResult
  public func finallyOnMain<T>(_ body: @escaping @MainActor () throws -> T) -> Promise {
    then(on: .mainQueue, Handling(finally: Direct(ignoringOnMain: body)))
  }

  /// The same with an asynchronous `body`: the outcome goes on when it has returned.
  @discardableResult
  public func finally<T>(_ body: @escaping @Sendable () async throws -> T) -> Promise {
    finally(on: nil) { .running(Promise(body)) }
  }
  /// The same with an asynchronous `body`, started in a task from a job on `context`; the outcome goes on when it has returned.
  @discardableResult
  public func finallyOn<T>(
    _ context: some ExecutionContext, _ body: @escaping @Sendable () async throws -> T
  ) -> Promise {
    finally(on: reference(to: context)) { .running(Promise(body)) }
  }

  /// The same with an asynchronous `body`, which stays on the main actor; the outcome goes on when it has returned.
  @_disfavoredOverload
  @discardableResult
  public func finallyOnMain<T>(_ body: @escaping @MainActor () async throws -> T) -> Promise {
    finally(on: .mainQueue, Wrap.mainAsyncBody(body))
  }
}
