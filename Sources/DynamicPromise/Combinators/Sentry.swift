// How a combinator or timer hears that its result needs it no longer.
//
// A *sentry* stands among the observers of the result, so that the work behind it ends with it: it is `settled` when the
// result was decided, settled by hand or cancelled, and goes (`deinit`) when the result went away unsettled. Nothing else
// need tell the worker, and the message travels along the agenda like any other, without recursion (L4).

/// Stands among the observers of a promise for whoever works for it.
class Sentry: Observer {
  /// What has to happen before the promise settles.
  var cause: Cause { .elsewhere }
}

extension Promise {
  /// Enters an observer that does not look at the outcome: the promise does not count as observed (L5).
  func post(_ sentry: Observer, _ agenda: inout Agenda) {
    let bits = word.lock()
    if State.isSettled(bits), bits & State.draining == 0 {
      word.unlock(bits)
      sentry.settled(self, &agenda)
    } else {
      enter(sentry)
      word.unlock(bits)
    }
  }

  /// The reason with which this promise was cancelled by message.
  var toldReason: (any Error)? { word.peek() & State.told != 0 ? reason : nil }

  /// Cancels a pending promise. Unlike `tell` it stops at a settled one: work that is done is not to be undone below.
  func tellIfPending(_ reason: any Error, _ agenda: inout Agenda) {
    let bits = word.lock()
    guard !State.isSettled(bits) else { return word.unlock(bits) }
    finish(bits, Store(reason: reason), State.rejected | State.told, &agenda)
  }
}
