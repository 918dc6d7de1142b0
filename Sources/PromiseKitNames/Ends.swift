// Handlers of rejections, and of every outcome.

public import DynamicPromise

extension Future {
  /// Calls `body` with the reason, on the default context, if `policy` covers the reason; the result of
  /// `body` resolves the new promise. Other rejections are passed on.
  ///
  /// Without a policy, `catch` is DynamicPromise's own method, which also handles cancellations. PromiseKit's
  /// `catch` does not.
  @discardableResult
  public final func `catch`<T>(
    policy: CatchPolicy, _ body: @escaping @Sendable (any Error) throws -> T
  ) -> Promise {
    recover(policy: policy, body)
  }

  /// Calls `body` with the reason, on `context` or the default context, if `policy` covers the reason; the
  /// result of `body` resolves the new promise. Other rejections are passed on. The default policy covers no
  /// cancellations.
  @discardableResult
  public final func `catch`<T>(
    on context: (any ExecutionContext)?, policy: CatchPolicy = .allErrorsExceptCancellation,
    _ body: @escaping @Sendable (any Error) throws -> T
  ) -> Promise {
    recover(on: context, policy: policy, body)
  }

  /// Calls `body` with the reason, on `context` or the default context, if `policy` covers the reason. The
  /// result of `body`, a promise or a value, resolves the new promise; an error that `body` throws rejects
  /// the new promise. Other rejections are passed on.
  @discardableResult
  public final func recover<T>(
    on context: (any ExecutionContext)? = nil, policy: CatchPolicy = .allErrorsExceptCancellation,
    _ body: @escaping @Sendable (any Error) throws -> T
  ) -> Promise {
    catchOn(context) { (error: any Error) -> T in
      guard policy.covers(error) else { throw error }
      return try body(error)
    }
  }

  /// Calls `body` with the reason, on `context` or the default context, if the reason is an `E` that `policy`
  /// covers. The result of `body` resolves the new promise. Other rejections are passed on.
  @discardableResult
  public final func recover<E: Error, T>(
    on context: (any ExecutionContext)? = nil, only _: E.Type,
    policy: CatchPolicy = .allErrorsExceptCancellation, _ body: @escaping @Sendable (E) throws -> T
  ) -> Promise {
    recover(on: context, policy: policy) { (error: any Error) -> T in
      guard let error = error as? E else { throw error }
      return try body(error)
    }
  }

  /// Calls `body` on `context` or the default context when the promise settles with any outcome, then passes
  /// the outcome on. As for `finally`, `body` runs even if the new promise is cancelled earlier, and an error
  /// that `body` throws rejects the new promise.
  @discardableResult
  public final func ensure(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> Void
  ) -> Promise {
    finallyOn(context, body)
  }

  /// Calls `body` on `context` or the default context when the promise settles with any outcome. The outcome
  /// is passed on when the promise that `body` returns is fulfilled. If that promise is rejected, the new
  /// promise is rejected too. (In PromiseKit, `body` returns a guarantee, which cannot fail.)
  @discardableResult
  public final func ensureThen<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    finallyOn(context, body)
  }

  /// Calls `body` on `context` or the default context when the promise settles with any outcome, then passes
  /// the outcome on. This is `finallyOn` with PromiseKit's label.
  @discardableResult
  public final func finally(
    on context: (any ExecutionContext)?, _ body: @escaping @Sendable () throws -> Void
  ) -> Promise {
    finallyOn(context, body)
  }

  /// Ends a chain that has no rejection handler. After a rejection, `log` is called with the error on the
  /// default context, unless the error means a cancellation. The default `log` prints a line. The new promise
  /// is fulfilled, unless it is cancelled with the chain.
  @discardableResult
  public final func cauterize(
    _ log: @escaping @Sendable (any Error) -> Void = { print("cauterized: \($0)") }
  ) -> Promise {
    asVoid().catch { (error: any Error) in
      if !error.isCancellation { log(error) }
    }
  }

  /// Whether the promise is settled. Promises/A+ also calls a promise resolved if it follows another promise.
  public final var isResolved: Bool { isSettled }

  /// The reason if the promise is rejected, otherwise `nil`. Reading this property observes the rejection.
  public final var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }
}
