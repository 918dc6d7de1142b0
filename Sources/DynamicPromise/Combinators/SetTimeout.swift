extension Promise {
  /// A child that follows this promise for at most `seconds`, and is then rejected with ``PromiseError/timeout``. This promise
  /// goes on untouched.
  ///
  /// Zero, a negative number and NaN mean now: the child of a pending promise is rejected, though not before this call
  /// returns. Infinity, and what is too long to be counted (30 years and more), mean never. A promise that is settled
  /// already never times out. The timer runs on the clock of the default context if that is a ``TimerContext``, else on the
  /// system's. Once the child has settled, by whatever way, nothing is left of the timer.
  public func setTimeout(_ seconds: Double) -> Promise {
    var agenda = Agenda()
    let child = child(
      context: defaultContext.retained(), kind: 0, Handlers(fulfilled: nil, rejected: nil), &agenda)
    agenda.run()
    Timer.start(seconds, on: child, .rejected(PromiseError.timeout), isItsOnlyHope: false)
    return child
  }
}
