// The timeout family: promises that wait for a limited time. The awaited promise may continue.

extension Promise {
  /// A child that follows this promise for at most `seconds`, and is then rejected with `error`, by default
  /// ``PromiseError/timeout``. This promise is not affected.
  ///
  /// If `seconds` is zero, negative or NaN, the child of a pending promise is rejected at once, but not
  /// before this call returns. From 1e9 seconds (31 years) on, the child never times out. The timer runs on
  /// the clock of the default context if that is a ``TimerContext``, otherwise on the system's clock.
  public func setTimeout(
    _ seconds: Double, error: @autoclosure @escaping @Sendable () -> any Error = PromiseError.timeout,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    limited(to: seconds, false, error).at(fileID, line)
  }

  /// A promise that follows this promise for at most `seconds`, and is then rejected with `error`, by default
  /// ``PromiseError/timeout``. Times and clock are those of `setTimeout`.
  ///
  /// If `cancelling` is `false`, the result is the child that `setTimeout` makes. If `cancelling` is `true`,
  /// the result is a root, which withdraws from this promise at the end of the time, or when it is cancelled.
  /// This promise and its chain are then cancelled, unless they have other consumers.
  public func timeout(
    _ seconds: Double, cancelling: Bool = false,
    error: @autoclosure @escaping @Sendable () -> any Error = PromiseError.timeout,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    limited(to: seconds, cancelling, error).at(fileID, line)
  }

  private func limited(
    to seconds: Double, _ cancelling: Bool, _ error: @escaping @Sendable () -> any Error
  ) -> Promise {
    guard cancelling else {
      let child = add(.none, on: nil)
      Timer.start(seconds, on: child, .rejected(error()), breaksIfDropped: false)
      return child
    }
    guard isPending else { return Promise.race([self], cancellingRest: true) }
    let timer = Promise(pendingOn: defaultContext)
    Timer.start(seconds, on: timer, .rejected(error()), for: self, breaksIfDropped: false)
    return Promise.race([self, timer], cancellingRest: true)
  }
}
