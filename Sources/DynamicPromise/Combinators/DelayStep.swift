extension Future {
  /// A child that is fulfilled with the same value, `seconds` later than this promise. A rejection is
  /// passed on at once.
  ///
  /// Zero, a negative number and NaN mean now, but through the clock. Infinity, and 30 years or more, mean
  /// never. The timer runs on the clock of the default context if that is a ``TimerContext``, otherwise on
  /// the system's. If the clock drops the job, the child is rejected with ``PromiseError/broken``. When the
  /// child is cancelled or abandoned, the timer is cancelled and the value released.
  public final func delay(_ seconds: Double) -> Promise {
    let promise = promise
    let context = promise.defaultContext
    // No consumer: a child that only waits does not want the value.
    let handler = Handler([.value, .onlyWaits, .step]) { outcome in
      let timer = Promise(.unresolved, on: context)
      Timer.start(seconds, on: timer, .outcome(outcome), breaksIfDropped: true)
      return .promise(timer)
    }
    let turn = Turn.current
    let child = promise.child(handler, on: .immediate, turn)
    turn.drain()
    return child
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func delay(_ duration: Duration) -> Promise { delay(duration.inSeconds) }
}
