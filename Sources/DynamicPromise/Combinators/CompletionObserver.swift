// Notifies a combinator or timer when its result no longer needs it.

/// Observes the result of a combinator or timer, so that the work ends with the result: `settled` is called
/// when the result was decided, settled by hand or cancelled, `deinit` runs when the result was freed
/// unsettled. It is no consumer, and does not count as having observed the outcome.
class CompletionObserver: Observer {
  init() { super.init(isConsumer: false, isCompletion: true) }

  /// Whether `settled` withdraws from promises, whose end is then awaited as part of the result's unfinished
  /// work. `settled` ends it by ``Promise/endCompletion(_:)``.
  func leavesWork(_ isCancelled: Bool) -> Bool { false }

  /// The conditions for the result to settle, for the deadlock check.
  var cause: DeadlockCheck.Cause { .elsewhere }
}
