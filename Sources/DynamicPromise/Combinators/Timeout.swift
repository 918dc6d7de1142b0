// The timeout family: a child that waits only so long. Whether its source is to go on is the caller's choice.

extension Future {
  /// A child that follows this promise for at most `seconds`, and is then rejected with
  /// ``PromiseError/timeout``. This promise goes on untouched.
  ///
  /// Zero, a negative number and NaN mean now: the child of a pending promise is rejected, though not before
  /// this call returns. Infinity, and what is too long to be counted (30 years and more), mean never. A
  /// promise that is settled already never times out. The timer runs on the clock of the default context if
  /// that is a ``TimerContext``, else on the system's. Once the child has settled, by whatever way, nothing
  /// is left of the timer.
  public final func setTimeout(_ seconds: Double) -> Promise { limited(to: seconds, cancelling: false) }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func setTimeout(_ duration: Duration) -> Promise {
    limited(to: duration.inSeconds, cancelling: false)
  }

  /// A child as ``setTimeout(_:)`` makes it. With `cancelling` it takes its source along, as bluebird's does:
  /// when the child has settled before this promise, because the time was over, because it was cancelled or
  /// by hand, this promise is cancelled unless somebody else wants it, and so is what it is the end of.
  ///
  /// The reason is that of the child, ``PromiseError/timeout`` if the time was over; `CancellationError` if
  /// the child was fulfilled by hand.
  public final func timeout(_ seconds: Double, cancelling: Bool = false) -> Promise {
    limited(to: seconds, cancelling: cancelling)
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func timeout(_ duration: Duration, cancelling: Bool = false) -> Promise {
    limited(to: duration.inSeconds, cancelling: cancelling)
  }

  /// The same with a point of time that other steps share: see ``Deadline``. The clock is that of the
  /// deadline. Where that is over, the child of a pending promise is rejected at once.
  public final func timeout(_ deadline: Deadline, cancelling: Bool = false) -> Promise {
    let child = limited(to: .infinity, cancelling: cancelling)
    if child.isPending { deadline.limit(child) }
    return child
  }

  private func limited(to seconds: Double, cancelling: Bool) -> Promise {
    let child = add(.none, on: nil)
    if cancelling, child.isPending {
      var effects = Effects()
      child.observe(Withdrawal(from: promise), looks: false, &effects)
      effects.perform()
    }
    Timer.start(seconds, on: child, .outcome(.rejected(PromiseError.timeout)), breaksIfDropped: false)
    return child
  }
}

/// Stands among the observers of a child whose source is not wanted without it.
private final class Withdrawal: CompletionObserver {
  private let source: Promise

  init(from source: Promise) {
    self.source = source
    super.init()
  }

  override func settled(_ promise: Promise, with outcome: Outcome, _ effects: inout Effects) {
    source.withdraw(outcome.reason ?? CancellationError(), &effects)
  }
}
