// `tap`: calls a closure with an outcome and passes the outcome on. (The name is Bluebird's; PromiseKit has
// `get` and `tap`.)

extension Promise {
  /// Calls `body` with the value, then passes the value on to the new promise. Use it to log, store or show a
  /// value. If this promise is rejected, `body` is not called, and the rejection is passed on.
  ///
  /// The new promise waits for a promise or thenable that `body` returns. An `Error` that `body` throws or
  /// returns, or the reason of the returned promise, rejects the new promise. Any other result of `body` is
  /// ignored. Cancelling the new promise withdraws from the promise that `body` returned. `body` runs on
  /// `context`; `nil` means this promise's default context.
  @discardableResult
  public func tap<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    add(Handler(value: body).passingOn, on: ContextRef(context))
  }

  /// Calls `body` with the value as a `V`, then passes the value on. A value of another type rejects the new
  /// promise with ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @discardableResult
  public func tap<V, T>(
    on context: (any ExecutionContext)? = nil, _ body: (@Sendable (V) throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: body).passingOn.at(V.self, fileID, line), on: ContextRef(context)).at(fileID, line)
  }

  /// Calls `body` with the value, in a task that a job on `context` starts. The value is passed on when
  /// `body` has returned. Cancelling the new promise cancels the task.
  @discardableResult
  public func tap<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Any) async throws -> T
  ) -> Promise {
    add(Handler(value: Wrap.inTask(body)).passingOn, on: ContextRef(context))
  }

  /// Calls `body` with the value as a `V`, in a task that a job on `context` starts.
  @discardableResult
  public func tap<V, T>(
    on context: (any ExecutionContext)? = nil, _ body: (@Sendable (V) async throws -> T)?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    add(Handler(value: Wrap.inTask(body)).passingOn.at(V.self, fileID, line), on: ContextRef(context))
      .at(fileID, line)
  }

  /// Calls `body` with the outcome, then passes the outcome on, like `tap`. An error of `body` replaces the
  /// outcome. To clean up, use `finally`: its body runs even if the new promise is cancelled before.
  @discardableResult
  public func tapResult<T>(
    on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable (Result<Any, any Error>) throws -> T
  ) -> Promise {
    add(
      Handler(.both) { value, reason in .of(try body(reason.map { .failure($0) } ?? .success(value))) }
        .passingOn, on: ContextRef(context))
  }
}

extension Handler {
  /// A copy of this handler whose child settles with the handler's input, perhaps after a promise that the
  /// handler returned. An error of the handler rejects the child.
  fileprivate var passingOn: Handler {
    Handler(kind) { [call] value, reason in
      Look.goingOn(try call(value, reason), with: reason.map { .rejected($0) } ?? .fulfilled(value))
    }
  }
}

/// The result of a handler that observes an outcome and passes it on.
private enum Look {
  /// The handler's error; otherwise the outcome, perhaps delayed by the promise that it returned.
  static func goingOn(_ resolution: Resolution, with outcome: Outcome) -> Resolution {
    switch resolution {
    case .fulfilled: return Resolution(outcome)
    case .rejected: return resolution
    case .promise(let other): return .promise(after(other, outcome))
    case .task(let task): return .task(after(task, outcome))
    case .thenable(let thenable): return .promise(after(Promise.resolved(thenable), outcome))
    }
  }

  /// A promise that follows `other`, but settles with `outcome` if `other` is fulfilled.
  private static func after(_ other: Promise, _ outcome: Outcome) -> Promise {
    let waiting = Promise(pendingOn: other.defaultContext)
    // `waiting` must not report its rejection, because the child reports a lost rejection. If the parent was
    // cancelled, the child does not follow `waiting`.
    waiting.markObserved()
    let turn = Turn.current
    waiting.core.follow(other, instead: outcome, turn)
    turn.drain()
    return waiting
  }
}
