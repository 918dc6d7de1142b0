extension Promise {
  /// Runs `body`, and runs it again each time its promise is fulfilled, until `body` returns `nil`, or a
  /// promise that is fulfilled with `nil`. The result is fulfilled with the last value that is not `nil`, or
  /// with `nil` if the first run ended the loop. The result is rejected as soon as `body` throws or its
  /// promise is rejected. A body that never returns `nil` runs again until the result is settled or
  /// cancelled.
  ///
  /// `body` runs on `context`, which is also the result's default context. Cancelling the result cancels the
  /// last promise of `body`, with the same reason, and `body` does not run again. The loop continues even if
  /// no code retains the result, and uses constant memory.
  @discardableResult
  public static func `repeat`<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    LoopSeries(Promise.result(on: context), Handler(.value, body)).run().at(fileID, line)
  }

  /// An overload for closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @discardableResult
  public static func `repeat`(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    LoopSeries(Promise.result(on: context), Handler(.value, body)).run().at(fileID, line)
  }

  /// Like `repeat` with a synchronous body, but each run is a Swift task.
  @discardableResult
  public static func `repeat`(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () async throws -> Any?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    LoopSeries(Promise.result(on: context), Handler(value: Wrap.inTask(body))).run().at(fileID, line)
  }
}

/// A series with a step for each run of a body.
private final class LoopSeries: Series, @unchecked Sendable {
  private let body: Handler
  private var last: Any = Any?.none as Any

  init(_ result: Promise, _ body: Handler) {
    self.body = body
    super.init(result)
  }

  override func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool {
    outcome.isFulfilled ? Resolution.isNil(outcome.value) : true
  }

  override func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next {
    if let value {
      if Resolution.isNil(value) { return .end(.fulfilled(last)) }
      // The release is deferred, because a `deinit` may use promises, and must not run inside a step.
      turn.release(last)
      last = value
    }
    return .step(after: Promise(.fulfilled(()), on: result.defaultContext), body.call)
  }
}
