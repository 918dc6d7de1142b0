// Withdrawing from a promise, and promises that are cancelled when their last consumer leaves.

extension Promise {
  /// Withdraws from this promise: the caller no longer wants the outcome. If this promise has no other
  /// consumer, it is cancelled. The cancel extends upward, to the last promise that no other consumer uses.
  /// Call this method at the end of a chain to stop the work at its beginning.
  ///
  ///     let image = load(url)
  ///     image.withdraw()  // the download stops, unless it has other consumers
  ///
  /// Consumers are a child with a handler for the value, a promise that follows this promise, a combinator,
  /// and a reader (`await`, `get`). A `catch`, a `finally` or a timer is a consumer only while it has a
  /// consumer itself. Observers (`onSuccess`) and references are not consumers; use `shielded()` for a
  /// promise that must not be cancelled when its consumers leave. While this promise has consumers, it
  /// continues; when the last one leaves, it is cancelled with the reason of the first withdrawal.
  ///
  /// The topmost of these promises is cancelled with its descendants, as by ``cancel(_:)``, which cancels
  /// downward only. The call has no effect on a settled or `shielded()` promise. It may be made from any
  /// thread, and from handlers. (The idea is from Bluebird, a library for JavaScript.)
  ///
  /// - Returns: `true` if the promise is cancelled, or will be when a rejection handler, its own or one above
  ///   it, has returned; only code that settles the promise directly can prevent that. `false` if the promise
  ///   had settled without a cancel, or has other consumers.
  @discardableResult
  public func withdraw(_ reason: Any = CancellationError()) -> Bool {
    let reason = PromiseError.asCancellation(reason)
    let turn = Turn.current
    core.withdraw(reason, turn)
    turn.drain()
    return core.lock.with { core.flags.contains(core.isSettled ? .cancelled : .givenUp) }
  }

  /// Cancels this promise when its last consumer leaves, even if no consumer withdraws: when a child is
  /// cancelled, another input wins a `race`, an awaiting task is cancelled, or a blocking wait times out. See
  /// ``withdraw(_:)`` for what counts as a consumer.
  ///
  /// A promise that has had no consumer since this call is not cancelled. The call has no effect on a settled
  /// or `shielded()` promise.
  ///
  ///     let image = download(url).cancelsWhenUnwanted()
  ///     let thumbnail = image.then { (image: Image) in image.scaled() }
  ///     thumbnail.cancel()  // the image has no other consumer: the download stops
  @discardableResult
  public func cancelsWhenUnwanted() -> Self {
    core.lock.with { _ = core.flags.insert(.cancelsWhenUnwanted) }
    return self
  }
}
