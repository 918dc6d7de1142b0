// `retry`: another attempt after a failed attempt, perhaps with a delay.

extension Promise {
  /// Runs `body` until its promise is fulfilled, at most `times` times; less than one counts as one. The
  /// result has the value of the first attempt that succeeds, or the error of the last attempt.
  ///
  /// An attempt fails if `body` throws, or returns an `Error` or a promise that is rejected. After a
  /// cancellation (`error.isCancellation`, or the returned promise was cancelled) there is no further
  /// attempt. Cancelling the result cancels the promise of the running attempt, or the delay. Attempts
  /// continue even if no code retains the result, and use constant memory.
  ///
  /// - Parameters:
  ///   - times: The maximum number of attempts, including the first.
  ///   - delay: The delay before the next attempt; none by default.
  ///   - condition: Whether to retry after an error. Called on `context`, and not after the last attempt. If
  ///     `condition` throws, the result is rejected with the thrown error.
  ///   - context: Where `body` and `condition` run, the result's default context, and its clock if it is a
  ///     ``TimerContext``.
  ///   - body: Makes an attempt, from its number, starting at 1; its result may be a promise.
  ///   - fileID: The file of the call, for diagnostics in debug builds.
  ///   - line: The line of the call.
  @discardableResult
  public static func retry<T>(
    _ times: Int, delay: RetryDelay = 0, while condition: (@Sendable (any Error) throws -> Bool)? = nil,
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (_ attempt: Int) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    RetrySeries(on: context, times, delay, condition, Handler(value: body)).run().at(fileID, line)
  }

  /// Like `retry` with a synchronous body, but each attempt is a Swift task.
  @discardableResult
  public static func retry<T>(
    _ times: Int, delay: RetryDelay = 0, while condition: (@Sendable (any Error) throws -> Bool)? = nil,
    on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable (_ attempt: Int) async throws -> T, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise {
    RetrySeries(on: context, times, delay, condition, Handler(value: Wrap.inTask(body))).run().at(
      fileID, line)
  }

  /// An overload of `retry` for a body that does not need the number of the attempt.
  @discardableResult
  public static func retry<T>(
    _ times: Int, delay: RetryDelay = 0, while condition: (@Sendable (any Error) throws -> Bool)? = nil,
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    retry(times, delay: delay, while: condition, on: context) { (_: Int) in try body() }.at(fileID, line)
  }

  /// An overload of `retry` for an asynchronous body that does not need the number of the attempt.
  @discardableResult
  public static func retry<T>(
    _ times: Int, delay: RetryDelay = 0, while condition: (@Sendable (any Error) throws -> Bool)? = nil,
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    retry(times, delay: delay, while: condition, on: context) { (_: Int) in try await body() }.at(
      fileID, line)
  }
}

/// A series with a step for each attempt. After a failed one, another step decides, and waits for the delay.
private final class RetrySeries: Series, @unchecked Sendable {
  private let times: Int
  private let delay: RetryDelay
  private let condition: (@Sendable (any Error) throws -> Bool)?
  private let body: Handler
  private var attempt = 0
  private var isAttempt = false

  init(
    on context: (any ExecutionContext)?, _ times: Int, _ delay: RetryDelay,
    _ condition: (@Sendable (any Error) throws -> Bool)?, _ body: Handler
  ) {
    self.times = times
    self.delay = delay
    self.condition = condition
    self.body = body
    super.init(Promise.result(on: context))
  }

  override func next(after value: Any?, on lane: Int, _ turn: Turn) -> Next {
    if isAttempt, let value { return .end(.fulfilled(value)) }
    isAttempt = true
    attempt += 1
    return step { [body, attempt] in try body.call(attempt, nil) }
  }

  override func next(
    afterRejection reason: any Error, byRequest isCancelled: Bool, on lane: Int, _ turn: Turn
  ) -> Next {
    guard !isLast(.rejected(reason), byRequest: isCancelled) else { return .end(.rejected(reason)) }
    isAttempt = false
    return step { [self, attempt] in
      if let condition, try !condition(reason) { throw reason }
      let seconds = try delay.seconds(attempt, reason)
      guard seconds > 0 else { return .fulfilled(()) }
      let timer = Promise(pendingOn: result.defaultContext)
      Timer.start(seconds, on: timer, .fulfilled(()), breaksIfDropped: true)
      return .promise(timer)
    }
  }

  override func isLast(_ outcome: Outcome, byRequest isCancelled: Bool) -> Bool {
    guard let reason = outcome.reason else { return isAttempt }
    return isCancelled || !isAttempt || attempt >= times || reason.isCancellation
  }

  /// A step that calls user code on the context, never on the stack that settled an attempt.
  private func step(_ body: @escaping @Sendable () throws -> Resolution) -> Next {
    .step(after: Promise(.fulfilled(()), on: result.defaultContext)) { _, _ in try body() }
  }
}
