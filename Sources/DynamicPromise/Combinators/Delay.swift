extension Promise {
  /// A promise that is resolved with `value` after `seconds`, like ``resolved(_:on:)``. If it is cancelled
  /// before, it does not withdraw from a promise in `value`.
  ///
  /// If `seconds` is zero, negative or NaN, there is no delay, but the promise is not resolved before this
  /// call returns. From 1e9 seconds (31 years) on, the timer never fires. If `context` is a ``TimerContext``,
  /// the timer runs on its clock, otherwise on the system's clock.
  public static func delay(
    _ seconds: Double, _ value: Any? = (), on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let promise = Promise.result(on: context)
    let resolution = Resolution(value ?? Promise.missing)
    resolution.promise?.markObserved()
    Timer.start(seconds, on: promise, resolution, breaksIfDropped: true)
    return promise.at(fileID, line)
  }

  /// A child that is fulfilled with the same value, `seconds` later than this promise. A rejection is passed
  /// on at once. When the child is cancelled or abandoned, the timer is cancelled and the value is released.
  /// Times and clock are those of `Promise.delay(_:_:on:)` on the default context.
  public func delay(_ seconds: Double, fileID: StaticString = #fileID, line: UInt = #line) -> Promise {
    let context = defaultContext
    // `onlyWaits`: this child is not a consumer, because it does not use the value itself.
    let handler = Handler([.value, .onlyWaits, .step]) { value, _ in
      let (timer, turn) = (Promise(pendingOn: context), Turn.current)
      // Other delays that wait for this job are left to the outer call, so that the stack does not grow.
      let outer = turn.enter(.execute)
      Timer.start(seconds, on: timer, .fulfilled(value), breaksIfDropped: true)
      turn.leave(outer)
      return .promise(timer)
    }
    let turn = Turn.current
    let child = child(handler, on: .immediate, turn)
    turn.drain()
    return child.at(fileID, line)
  }
}
