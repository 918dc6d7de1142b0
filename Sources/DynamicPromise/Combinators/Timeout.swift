// The timeout family: promises that wait only so long. Whether their source is to go on is the caller's
// choice.

extension Future {
  /// A child that follows this promise for at most `seconds`, and is then rejected with
  /// ``PromiseError/timeout``. This promise goes on untouched.
  ///
  /// Zero, a negative number and NaN mean now: the child of a pending promise is rejected, though not before
  /// this call returns. Infinity, and what is too long to be counted (30 years and more), mean never. A
  /// promise that is settled already never times out. The timer runs on the clock of the default context if
  /// that is a ``TimerContext``, else on the system's. Once the child has settled, by whatever way, nothing
  /// is left of the timer.
  public final func setTimeout(_ seconds: Double) -> Promise { limited(to: seconds, false) }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func setTimeout(_ duration: Duration) -> Promise {
    limited(to: duration.inSeconds, false)
  }

  /// A promise that follows this one for at most `seconds`, and is then rejected with
  /// ``PromiseError/timeout``.
  ///
  /// Without `cancelling` this is the child that `setTimeout` makes. With `cancelling`, as in bluebird,
  /// a result that settles before this promise does not want it any more, whether its time was over, or it
  /// was cancelled, or settled by hand. This promise is then cancelled, and the chain that it ends, unless
  /// somebody else wants it. The reason is that of the cancel, else `CancellationError`.
  ///
  /// With `cancelling` the result is a root, as if promise and timer were in a `race`: a child would be
  /// cancelled together with this promise. Times and clock are those of `setTimeout`.
  public final func timeout(_ seconds: Double, cancelling: Bool = false) -> Promise {
    limited(to: seconds, cancelling)
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func timeout(_ duration: Duration, cancelling: Bool = false) -> Promise {
    limited(to: duration.inSeconds, cancelling)
  }

  /// The same with a point of time that other steps share, on the clock that was made for it: see
  /// ``Deadline``. Where that is over, and this promise is pending, the new one is rejected at once.
  public final func timeout(_ deadline: Deadline, cancelling: Bool = false) -> Promise {
    limited(cancelling, deadline.limit)
  }

  private func limited(to seconds: Double, _ cancelling: Bool) -> Promise {
    limited(cancelling) { promise in
      let timeout = Resolution.outcome(.rejected(PromiseError.timeout))
      Timer.start(seconds, on: promise, timeout, breaksIfDropped: false)
    }
  }

  /// - Parameter limit: Has a pending promise rejected when the time is over.
  private func limited(_ cancelling: Bool, _ limit: (Promise) -> Void) -> Promise {
    guard cancelling, isPending else {
      let child = add(.none, on: nil)
      limit(child)
      return child
    }
    let timer = Promise(.unresolved, on: promise.defaultContext)
    limit(timer)
    return Promise.race([promise, timer], cancellingInputs: true)
  }
}
