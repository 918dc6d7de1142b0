extension Promise {
  /// A promise that is resolved with `value` when `seconds` have passed: rejected by an `Error`, following a
  /// promise or thenable, fulfilled with anything else, `nil` too.
  ///
  /// Zero, a negative number and NaN mean now, though not before this call returns; infinity, and what is too
  /// long to be counted, mean never. The timer runs on the clock of `context`, which is the promise's default
  /// context, if that is a ``TimerContext``, else on the system's. Cancelling the promise, or letting it go
  /// with nobody waiting, calls it off.
  public static func delay(
    _ seconds: Double, _ value: Any = (), on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    let promise = Promise.result(on: context)
    Timer.start(seconds, on: promise, .unknown(Value(value)), breaksIfDropped: true)
    return promise
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public static func delay(
    _ duration: Duration, _ value: Any = (), on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    delay(duration.inSeconds, value, on: context)
  }
}
