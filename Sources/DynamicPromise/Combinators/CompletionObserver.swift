// Notifies a combinator or timer when its result no longer needs it.

/// Observes the result of a combinator or timer, so that the work ends with the result: `settled` is called
/// when the result was decided, settled by hand or cancelled, `deinit` runs when the result was freed
/// unsettled. It is no consumer, and does not count as having observed the outcome.
class CompletionObserver: Observer {
  init() { super.init(isConsumer: false) }

  /// The conditions for the result to settle, for the deadlock check.
  var cause: DeadlockCheck.Cause { .elsewhere }
}
