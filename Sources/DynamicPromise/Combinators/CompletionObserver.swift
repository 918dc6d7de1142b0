// How a combinator or timer learns that its result does not need it any more.

/// Observes the result of a combinator or timer, so that the work ends with the result: `settled` is called
/// when the result was decided, settled by hand or cancelled, `deinit` runs when the result was freed
/// unsettled. It is no consumer, and does not count as having observed the outcome.
class CompletionObserver: Observer {
  init() { super.init(isConsumer: false) }

  /// What has to happen before the result settles.
  var cause: DeadlockCheck.Cause { .elsewhere }
}
