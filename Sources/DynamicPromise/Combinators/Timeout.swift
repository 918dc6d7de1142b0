// The timeout family: promises that wait only so long. Whether their source is to go on is the caller's
// choice.

extension Future {
  /// A child that follows this promise for at most `seconds`, and is then rejected with
  /// ``PromiseError/timeout``. This promise goes on untouched.
  ///
  /// Zero, a negative number and NaN mean now: the child of a pending promise is rejected, though not before
  /// this call returns. Infinity, and what is too long to be counted (30 years and more), mean never. A
  /// promise that is settled already never times out. The timer runs on the clock of the default context if
  /// that is a ``TimerContext``, else on the system's; it is cancelled when the child settles.
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
  /// the result withdraws from this promise when it settles first, because the time is over, or because it
  /// was cancelled or settled by hand: this promise, and the chain that it ends, are then cancelled unless
  /// somebody else wants them. The reason is that of the cancel, else `CancellationError`.
  ///
  /// With `cancelling` the result is a root, as if promise and timer were in a
  /// `Promise.race(_:on:cancellingInputs:)`: a child would be cancelled together with this promise. Times
  /// and clock are those of `setTimeout`.
  public final func timeout(_ seconds: Double, cancelling: Bool = false) -> Promise {
    limited(to: seconds, cancelling)
  }

  /// The same with a `Duration`.
  @_disfavoredOverload
  public final func timeout(_ duration: Duration, cancelling: Bool = false) -> Promise {
    limited(to: duration.inSeconds, cancelling)
  }

  /// The same with a ``Deadline``, a point in time that several steps share, on the clock that the deadline
  /// was made for. If it is over and this promise is pending, the new promise is rejected at once.
  public final func timeout(_ deadline: Deadline, cancelling: Bool = false) -> Promise {
    limited(cancelling, deadline.limit)
  }

  private func limited(to seconds: Double, _ cancelling: Bool) -> Promise {
    limited(cancelling) { promise in
      let timeout = Resolution.outcome(.rejected(PromiseError.timeout))
      Timer.start(seconds, on: promise, timeout, breaksIfDropped: false)
    }
  }

  /// - Parameter limit: Arranges that a pending promise is rejected when the time is over.
  private func limited(_ cancelling: Bool, _ limit: (Promise) -> Void) -> Promise {
    guard cancelling else {
      let child = add(.none, on: nil)
      limit(child)
      return child
    }
    guard isPending else { return Promise.race([promise]) }
    let timer = Promise(.unresolved, on: promise.defaultContext)
    limit(timer)
    return Promise.race([promise, timer], cancellingInputs: true)
  }
}
