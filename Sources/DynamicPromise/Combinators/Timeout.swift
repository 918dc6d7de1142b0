extension Future {
  /// A child that follows this promise for at most `seconds`, and is then rejected with
  /// ``PromiseError/timeout``. This promise goes on untouched.
  ///
  /// Zero, a negative number and NaN mean now: the child of a pending promise is rejected, though not before
  /// this call returns. Infinity, and what is too long to be counted (30 years and more), mean never. A
  /// promise that is settled already never times out. The timer runs on the clock of the default context if
  /// that is a ``TimerContext``, else on the system's. Once the child has settled, by whatever way, nothing
  /// is left of the timer.
  public final func setTimeout(_ seconds: Double) -> Promise {
    let child = add(.none, on: nil)
    Timer.start(seconds, on: child, .outcome(.rejected(PromiseError.timeout)), breaksIfDropped: false)
    return child
  }
}
