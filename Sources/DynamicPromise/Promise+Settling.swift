// The task's side of a promise. Consumers that must not settle what they were given are better served with a
// `Resolver` on the other side.

extension Promise {
  /// Fulfills with `value` as it is, whatever it is, `nil` too. Ignored if the promise is resolved: first settlement wins.
  public func fulfill(_ value: consuming Any) {
    var agenda = Agenda()
    settle(Store(value: value), State.fulfilled, &agenda)
    agenda.run()
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as `nil` is not; a promise or
  /// thenable is never adopted (A3). Ignored if the promise is resolved.
  public func reject(_ reason: Any) {
    var agenda = Agenda()
    settle(Store(reason: PromiseError.asError(reason)), State.rejected, &agenda)
    agenda.run()
  }

  /// The promise resolution procedure (A2): follows a promise or thenable, rejects with an `Error`, fulfills with anything
  /// else, `nil` too; looks through optionals. A thenable's getter and method run on this stack; it may call back from anywhere,
  /// and one that never does is waited for until it cannot (H10.4). With itself: rejected with ``PromiseError/cycle``. The
  /// first resolution wins.
  public func resolve(_ x: Any) {
    var agenda = Agenda()
    resolve(with: x, &agenda)
    agenda.run()
  }

  /// Follows `other`: takes over its outcome, and forwards a cancellation to it (C4). The same as resolving with it: ignored
  /// if this promise is resolved, ``PromiseError/cycle`` if `other` is this promise or follows it. Following its own descendant
  /// it waits until one of the two is cancelled (H10.3).
  public func bind(_ other: Promise) {
    var agenda = Agenda()
    adopt(other, &agenda)
    agenda.run()
  }

  /// Cancels with `CancellationError()`: see ``cancel(_:)``.
  public func cancel() { cancel(CancellationError()) }

  /// Cancels this promise and all its descendants, never its parent or siblings.
  ///
  /// A pending promise settles at once, rejected with `reason` (wrapped in ``PromiseError/cancelled(reason:)`` if it is not an
  /// `Error`, as `nil` is not), and is *told*: its cancellation handlers run on this stack, the promise that it follows is cancelled, its
  /// children are cancelled as soon as their rejection handlers have returned, or at once if they have none
  /// (C1, C2, C4). A settled promise stays as it is and passes the cancellation on (C3). On a told promise: nothing. May be
  /// called from anywhere, inside of the promise's own handlers too (H10.6).
  public func cancel(_ reason: Any) {
    var agenda = Agenda()
    agenda.add(.cancel(.promise(self), PromiseError.asCancellation(reason)))
    agenda.run()
  }
}
