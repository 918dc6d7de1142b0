/// Observes the result of a combinator, series or timer. A subclass ends the combinator when the result
/// settles. If the result is freed unsettled, only `deinit` runs. This observer is not a consumer, and the
/// outcome does not count as observed.
class CompletionObserver: Observer {
  init() { super.init(isConsumer: false, isCompletion: true) }

  /// Whether `settled` withdraws from promises. The result then counts as unfinished until `settled` calls
  /// ``Core/completionHasEnded(_:)``.
  func hasUnfinishedWork(_ isCancelled: Bool) -> Bool { false }

  /// The conditions for the result to settle, for the deadlock check.
  var cause: DeadlockCheck.Cause { .elsewhere }
}
