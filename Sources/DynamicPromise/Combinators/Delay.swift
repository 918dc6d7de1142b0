extension Promise {
  /// A promise that is resolved with `value` when `seconds` have passed: rejected by an `Error`, following a
  /// promise or thenable, fulfilled with anything else, `nil` too.
  ///
  /// Zero, a negative number and NaN mean now, though not before this call returns; infinity, and what is too
  /// long to be counted (30 years and more), mean never. `context` is the promise's default context. The
  /// timer runs on its clock if it is a ``TimerContext``, else on the system's. It is cancelled when the
  /// promise is cancelled, or freed because nobody waits for it.
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
