// The timeout family: promises that wait for a limited time. The caller chooses whether the awaited promise
// continues after a timeout.

extension Promise {
  /// A child that follows this promise for at most `seconds`, and is then rejected with `error`, by default
  /// ``PromiseError/timeout``. This promise is not affected.
  ///
  /// If `seconds` is zero, negative or NaN, the child of a pending promise is rejected without a delay, but
  /// not before this call returns. If `seconds` is infinity, or 1e9 (31 years) or more, or this promise is
  /// settled, the child never times out. The timer runs on the clock of the default context if that is a
  /// ``TimerContext``, otherwise on the system's clock. The timer is cancelled when the child settles. The
  /// call makes `error` even if it is never needed.
  public func setTimeout(_ seconds: Double, error: any Error = PromiseError.timeout) -> Promise {
    limited(to: seconds, false, error)
  }

  /// A promise that follows this promise for at most `seconds`, and is then rejected with `error`, by default
  /// ``PromiseError/timeout``.
  ///
  /// If `cancelling` is `false`, the result is the child that `setTimeout` makes. If `cancelling` is `true`,
  /// as in bluebird, the result withdraws from this promise if the result settles before this promise. This
  /// happens at the end of the time, or when the result is cancelled or settled directly. This promise and
  /// its chain are then cancelled, unless they have other consumers. The reason is that of the result's
  /// cancellation, otherwise `CancellationError`.
  ///
  /// If `cancelling` is `true`, the result is a root, because a child would be cancelled together with this
  /// promise: a race of this promise and a timer, with `cancellingRest`. Times and clock are those of
  /// `setTimeout`.
  public func timeout(
    _ seconds: Double, cancelling: Bool = false, error: any Error = PromiseError.timeout
  ) -> Promise {
    limited(to: seconds, cancelling, error)
  }

  private func limited(to seconds: Double, _ cancelling: Bool, _ error: any Error) -> Promise {
    guard cancelling else {
      let child = add(.none, on: nil)
      Timer.start(seconds, on: child, .rejected(error), breaksIfDropped: false)
      return child
    }
    guard isPending else { return Promise.race([self], cancellingRest: true) }
    let timer = Promise(pendingOn: defaultContext)
    Timer.start(seconds, on: timer, .rejected(error), for: self, breaksIfDropped: false)
    return Promise.race([self, timer], cancellingRest: true)
  }
}
