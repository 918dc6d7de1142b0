// Withdrawing from a promise, and promises that are cancelled with their last consumer.

extension Future {
  /// Withdraws with `CancellationError()`: see ``withdraw(_:)``.
  @discardableResult
  public final func withdraw() -> Bool { withdraw(CancellationError()) }

  /// Withdraws from this promise: the caller no longer wants the outcome. Without other consumers this
  /// promise is cancelled, and its chain upward, to the last promise that no other consumer uses.
  ///
  /// A function returns the end of a chain, and its work is at the beginning. ``cancel(_:)`` cancels
  /// downward only, and `root.cancel()` also cancels the work of other consumers.
  ///
  ///     let image = load(url)
  ///     image.withdraw()  // the download stops, unless it has other consumers
  ///
  /// Consumers are a child with a handler for the value, a promise that follows this one, a combinator, and
  /// a reader (`await`, `get`). A `catch`, a `finally` or a timer is a consumer while it has one itself.
  /// Observers (`onSuccess`) and references are none; use `shielded()` for a promise that should stay.
  /// While this promise has consumers, it continues. When the last one leaves, it is cancelled, with the
  /// reason of the first withdrawal.
  ///
  /// The cancel starts at the topmost unwanted promise, and travels down like ``cancel(_:)``. Hooks run on
  /// this stack. A promise whose rejection handler has not started is cancelled when that handler has
  /// returned. A `reason` that is not an `Error` is wrapped in ``PromiseError/cancelled(reason:)``.
  ///
  /// Has no effect on a settled or `shielded()` promise. May be called from any thread, and from handlers.
  /// (The idea is from Bluebird, a library for JavaScript.)
  ///
  /// - Returns: `true` if the promise is cancelled, or will be when a rejection handler here or above has
  ///   returned. Only a settlement by hand can precede that. `false` if it had settled otherwise, or has
  ///   other consumers.
  @discardableResult
  public final func withdraw(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let turn = Turn.current
    promise.lock.lock()
    promise.changeDemand(unwanted: reason, turn)
    promise.lock.unlock()
    turn.drain()
    return promise.lock.with { promise.flags.contains(promise.state.isSettled ? .cancelled : .givenUp) }
  }

  /// Makes this promise cancel itself when its last consumer leaves, for whatever cause.
  ///
  /// ``withdraw(_:)`` defines consumers. Without this call a promise that has lost its consumers continues,
  /// unless one of them has *withdrawn*. After this call it is enough that the last one leaves. A consumer
  /// leaves when a child is cancelled, another input wins a `race`, an awaiting task is cancelled, or a
  /// blocking wait times out.
  ///
  /// A promise without a consumer since this call continues. A consumer that arrives before the last one
  /// leaves keeps the promise. The reason is that of the last consumer's cancellation, otherwise
  /// `CancellationError()`. Promises above this one without other consumers are cancelled too. Has no
  /// effect on a settled or `shielded()` promise.
  ///
  ///     let image = download(url).cancelsWhenUnwanted()
  ///     let thumbnail = image.then { (image: Image) in image.scaled() }
  ///     thumbnail.cancel()  // the image has no other consumer: the download stops
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func cancelsWhenUnwanted() -> Self {
    let promise = promise
    promise.lock.with { _ = promise.flags.insert(.cancelsWhenUnwanted) }
    return self
  }
}
