// `tap`: calls a closure with an outcome and passes the outcome on. (The name is Bluebird's; PromiseKit has
// `get` and `tap`.)

extension Future {
  /// Calls `body` with the value, then passes the value on to the new promise, whatever `body` returned.
  /// Use it to log, store or show a value.
  ///
  /// If `body` returns a promise or thenable, the value is passed on when that is fulfilled; its rejection
  /// rejects the new promise. An `Error` that `body` throws or returns rejects it too. If this promise is
  /// rejected, `body` is not called, and the rejection is passed on. Cancelling the new promise withdraws
  /// from the promise that `body` returned.
  ///
  /// - Parameters:
  ///   - context: Where `body` runs; `nil` for this promise's default context.
  ///   - body: Called with the value. `tap` waits for a promise that it returns.
  @discardableResult
  public final func tap<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    add(Handler(value: body).passingOn, on: reference(to: context))
  }

  /// The same for a value of type `V`; a value of another type rejects with
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``. A closure without a parameter is called for
  /// every value.
  @_disfavoredOverload
  @discardableResult
  public final func tap<V, T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (V) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: body).passingOn.placed(V.self, fileID, line), on: reference(to: context))
  }

  /// Starts `body` with the value in a task, from a job on `context`. The value is passed on when `body`
  /// has returned. Cancelling the new promise cancels the task.
  @discardableResult
  public final func tap<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    add(Handler(value: InTask(body)).passingOn, on: reference(to: context))
  }

  /// The same for a value of type `V`.
  @_disfavoredOverload
  @discardableResult
  public final func tap<V, T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (V) async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(
      Handler(value: InTask(body)).passingOn.placed(V.self, fileID, line), on: reference(to: context))
  }

  /// Calls `body` with the reason of a rejection, then passes the rejection on to the new promise. That
  /// handles nothing: the next `catch` receives the rejection.
  ///
  /// As for `tap`, a promise that `body` returns is awaited, and an error of `body` replaces the reason. If
  /// this promise is fulfilled, `body` is not called. A cancellation is a rejection too: the new promise is
  /// cancelled when `body` has returned, and does not wait for a promise that `body` returned.
  @discardableResult
  public final func tapCatch<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) throws -> T
  ) -> Promise {
    add(Handler(reason: body).passingOn, on: reference(to: context))
  }

  /// The same for reasons of type `E` only: errors of that type, and values of that type that `reject` has
  /// wrapped in ``PromiseError/rejected(reason:)``. A closure without a parameter is called for every
  /// reason.
  @_disfavoredOverload
  @discardableResult
  public final func tapCatch<E, T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (E) throws -> T
  ) -> Promise {
    add(Handler(reason: body).passingOn, on: reference(to: context))
  }

  /// Starts `body` with the reason in a task, from a job on `context`. The reason is passed on when `body`
  /// has returned. Cancelling the new promise cancels the task.
  @discardableResult
  public final func tapCatch<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (any Error) async throws -> T
  ) -> Promise {
    add(Handler(reason: InTask(body)).passingOn, on: reference(to: context))
  }

  /// The same for reasons of type `E` only.
  @_disfavoredOverload
  @discardableResult
  public final func tapCatch<E, T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (E) async throws -> T
  ) -> Promise {
    add(Handler(reason: InTask(body)).passingOn, on: reference(to: context))
  }

  /// Calls `body` with the outcome, then passes the outcome on to the new promise.
  ///
  /// As for `tap`, a promise that `body` returns is awaited, and an error of `body` replaces the outcome.
  /// To clean up, use `finally`, whose body runs even if the new promise is cancelled before.
  @discardableResult
  public final func tapResult<T>(
    on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable (Result<Any, any Error>) throws -> T
  ) -> Promise {
    add(Handler(.both) { .of(try body($0.result)) }.passingOn, on: reference(to: context))
  }
}

extension Handler {
  /// The same handler, whose child has the outcome, now or when the result is fulfilled. An error of the
  /// handler rejects the child. A reason that the handler does not expect is thrown, and so passed on.
  fileprivate var passingOn: Handler {
    Handler(kind) { [call] outcome in Look.goingOn(try call(outcome), with: outcome) }
  }
}

/// The result of a handler that observes an outcome and passes it on.
private enum Look {
  /// The outcome itself, now or when the handler's promise is fulfilled; or the handler's error.
  static func goingOn(_ resolution: Resolution, with outcome: Outcome) -> Resolution {
    switch resolution {
    case .outcome(.fulfilled): return .outcome(outcome)
    case .outcome(.rejected): return resolution
    case .promise(let other): return .promise(after(other, outcome))
    case .task(let task): return .task(after(task, outcome))
    case .thenable(let thenable): return .promise(after(Promise.resolved(thenable), outcome))
    }
  }

  /// A promise that follows `other` and has this outcome when that is fulfilled.
  private static func after(_ other: Promise, _ outcome: Outcome) -> Promise {
    let waiting = Promise(.unresolved, on: other.defaultContext)
    // If its rejection is lost, the child says so. Below a cancelled promise the child does not follow it.
    waiting.markObserved()
    let turn = Turn.current
    waiting.adopt(other, instead: outcome, turn)
    turn.drain()
    return waiting
  }
}
