// How a consumer leaves, and a promise that is cancelled when its last consumer has left.

extension Future {
  /// Withdraws with `CancellationError()`: see ``withdraw(_:)``.
  @discardableResult
  public final func withdraw() -> Bool { withdraw(CancellationError()) }

  /// Says that the caller does not want the outcome any more. If nobody else wants it, this promise is
  /// cancelled, and so is what leads to it, up to the first promise that somebody else wants.
  ///
  /// So one stops what one has asked for: a function returns the end of a chain, and the work stands at its
  /// beginning. ``cancel(_:)`` goes down only, and `root.cancel()` stops everybody's work.
  ///
  ///     let image = load(url)
  ///     image.withdraw()  // the download stops, unless somebody else waits for it
  ///
  /// A promise is wanted if it has a consumer: a child with a handler for the value, a promise that follows
  /// it, a combinator, a reader (`await`, `get`). A `catch`, a `finally` or a timer is one if it is wanted
  /// itself. Observers (`onSuccess`) are none, and to hold a promise is not to want it: what is to stay for
  /// later is `shielded()`. As long as this promise is wanted, it goes on; when its last consumer leaves, it
  /// is cancelled, with the reason of the first call.
  ///
  /// The cancel begins at the topmost promise that nobody wants, and runs down from there as that of
  /// ``cancel(_:)`` does: hooks run on this stack, and what has a rejection handler that has not begun is
  /// cancelled when that has returned. A `reason` that is no `Error` becomes
  /// ``PromiseError/cancelled(reason:)``.
  ///
  /// Does nothing to a settled promise, nor to one that is `shielded()`. May be called from any thread, and
  /// from handlers. (The idea is from Bluebird, a library for JavaScript.)
  ///
  /// - Returns: Whether the promise is cancelled, or a cancel is on its way to it, which only a settlement by
  ///   hand may precede: a rejection handler, here or above, has still to return. `false`: it had settled
  ///   otherwise, or somebody wants it.
  @discardableResult
  public final func withdraw(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let effects = Effects.begin()
    promise.lock.lock()
    promise.changeDemand(unwanted: reason, effects)
    promise.lock.unlock()
    Driver.perform(effects)
    return promise.lock.with { promise.flags.contains(promise.state.isSettled ? .cancelled : .givenUp) }
  }

  /// From now on this promise is cancelled when its last consumer leaves, whatever the cause.
  ///
  /// Consumers are those who wait for the value: a child with a handler for it, a promise that follows
  /// this one, a combinator, a reader (`await`, `get`). `catch`, `finally`, timers and observers are none.
  /// Without this call a promise that has lost its consumers goes on, unless one of them has *withdrawn*:
  /// a promise that followed this one was cancelled. With it the other ways to leave count as well: what
  /// `then` returned is cancelled, a `race` is won by another input, a task that awaits is cancelled, the
  /// time of a blocking wait is over.
  ///
  /// A promise that has had no consumer since this call goes on, and a consumer that comes before the last
  /// one leaves keeps the promise. The reason is the one with which the last consumer was cancelled, else
  /// `CancellationError()`. Promises above this one that nobody else wants are cancelled as well. Does
  /// nothing to a settled promise, nor to one that is `shielded()`.
  ///
  ///     let image = download(url).cancelsWhenUnwanted()
  ///     let thumbnail = image.then { (image: Image) in image.scaled() }
  ///     thumbnail.cancel()  // nobody else wants the image: the download stops
  ///
  /// - Returns: This promise.
  @discardableResult
  public final func cancelsWhenUnwanted() -> Self {
    let promise = promise
    promise.lock.with { _ = promise.flags.insert(.cancelsWhenUnwanted) }
    return self
  }
}
