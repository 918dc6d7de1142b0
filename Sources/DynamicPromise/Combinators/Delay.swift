extension Promise {
  /// A promise that is resolved with `value` after `seconds`. An `Error` rejects the promise, a promise or
  /// thenable is followed, and any other value fulfills the promise, `nil` included.
  ///
  /// If `seconds` is zero, negative or NaN, there is no delay, but the promise is not resolved before this
  /// call returns. If `seconds` is infinity, or 1e9 (31 years) or more, the timer never fires. `context` is
  /// the promise's default context. If `context` is a ``TimerContext``, the timer runs on its clock,
  /// otherwise on the system's clock. The timer is cancelled when the promise is cancelled or abandoned.
  public static func delay(
    _ seconds: Double, _ value: Any = (), on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let promise = Promise.result(on: context)
    let resolution = Resolution(Value(value))
    // A cancelled delay drops the promise that it was given.
    resolution.promise?.markObserved()
    Timer.start(seconds, on: promise, resolution, breaksIfDropped: true)
    return promise.placed(fileID, line)
  }
}
