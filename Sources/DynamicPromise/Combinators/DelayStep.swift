extension Future {
  /// A child with the same value, `seconds` after this promise has it. A rejection is not held up: it goes on
  /// at once.
  ///
  /// Zero, a negative number and NaN mean now, by way of the clock all the same; infinity, and what is too
  /// long to be counted (30 years and more), mean never. The time is counted from when this promise is
  /// fulfilled. It runs on the clock of the default context if that is a ``TimerContext``, else on the
  /// system's; a clock that drops its job breaks the child. Cancelling the child, or letting it go with
  /// nobody waiting, calls the timer off and lets go of the value.
  public final func delay(_ seconds: Double) -> Promise {
    let promise = promise
    let context = promise.defaultContext
    var handler = Handler(.value) { outcome in
      let timer = Promise(.unresolved, on: context)
      Timer.start(seconds, on: timer, .outcome(outcome), breaksIfDropped: true)
      return .adopt(timer)
    }
    handler.context = .immediate
    // Whoever only waits does not want the value (C4.13).
    let flags = Flags(handler).union(.isOnlyAStep).subtracting(.isConsumer)
    let effects = Effects.begin()
    let child = promise.child(.handler(handler), flags, effects)
    Driver.perform(effects)
    return child
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func delay(_ duration: Duration) -> Promise { delay(duration.inSeconds) }
}
