// A promise that is cancelled when its last consumer leaves.

extension Future {
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
