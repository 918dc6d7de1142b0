extension Promise {
  /// A child that is fulfilled with the same value, `seconds` later than this promise. A rejection is
  /// passed on at once.
  ///
  /// If `seconds` is zero, negative or NaN, there is no delay, but a timer job of the clock still settles the
  /// child. If `seconds` is infinity, or 1e9 (31 years) or more, the timer never fires. The timer runs on the
  /// clock of the default context if that is a ``TimerContext``, otherwise on the system's clock. If the
  /// clock drops the job, the child is rejected with ``PromiseError/broken``. When the child is cancelled or
  /// abandoned, the timer is cancelled and the value is released.
  public func delay(_ seconds: Double) -> Promise {
    let context = defaultContext
    // `onlyWaits`: this child is not a consumer, because it does not use the value itself.
    let handler = Handler([.value, .onlyWaits, .step]) { value, _ in
      let timer = Promise(pendingOn: context)
      Timer.start(seconds, on: timer, .fulfilled(value), breaksIfDropped: true)
      return .promise(timer)
    }
    let turn = Turn.current
    let child = child(handler, on: .immediate, turn)
    turn.drain()
    return child
  }
}
