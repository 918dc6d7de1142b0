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

  /// A promise that follows this promise until `deadline`, and is then rejected with `error`, by default
  /// ``PromiseError/timeout``. Several steps may share a ``Deadline``, which has its own clock. If the
  /// deadline is over and this promise is pending, the new promise is rejected at once. Otherwise like
  /// `timeout` with seconds.
  public func timeout(
    _ deadline: Deadline, cancelling: Bool = false, error: any Error = PromiseError.timeout
  ) -> Promise {
    limited(cancelling) { deadline.limit($0, for: $1, error) }
  }

  private func limited(to seconds: Double, _ cancelling: Bool, _ error: any Error) -> Promise {
    limited(cancelling) { promise, source in
      Timer.start(seconds, on: promise, .outcome(.rejected(error)), for: source, breaksIfDropped: false)
    }
  }

  /// - Parameter limit: Rejects a pending promise when the time is over. The second argument is the promise
  ///   whose time is limited, if that is not the parent.
  private func limited(_ cancelling: Bool, _ limit: (Promise, Promise?) -> Void) -> Promise {
    guard cancelling else {
      let child = add(.none, on: nil)
      limit(child, nil)
      return child
    }
    guard isPending else { return Promise.race([self], cancellingRest: true) }
    let timer = Promise(.unresolved, on: defaultContext)
    limit(timer, self)
    return Promise.race([self, timer], cancellingRest: true)
  }
}
