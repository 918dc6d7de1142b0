// How a combinator or timer hears that its result needs it no longer.

/// Stands among the observers of a result for whoever works for it, so that the work ends with it: it is `settled` when the
/// result was decided, settled by hand or cancelled, and goes (`deinit`) when the result went away unsettled. It wants nothing: it is
/// no consumer, and does not count as having looked at the outcome (L5).
class CompletionObserver: Observer {
  init() { super.init(isConsumer: false) }

  /// What has to happen before the result settles.
  var cause: DeadlockCheck.Cause { .elsewhere }
}
