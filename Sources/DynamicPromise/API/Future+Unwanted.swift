// A promise that goes on only as long as somebody wants it.

extension Future {
  /// From now on this promise is cancelled when its last consumer leaves, in whatever way.
  ///
  /// Otherwise a promise is cancelled for want of consumers only if one of them has *withdrawn*: a promise
  /// that followed it was cancelled. With this it is enough that the last one is cancelled, lets go, has
  /// decided otherwise or has waited long enough: what `then` returned is cancelled, a `race` is won by
  /// another input, a task that awaits is cancelled, the time of a blocking wait is over. Consumers are those
  /// who wait for the value: a child with a handler for it, a promise that follows, a combinator, a reader.
  /// `catch`, `finally`, timers and observers are none.
  ///
  /// A promise that nobody has wanted yet goes on: only a consumer can leave. One that comes before the last
  /// has left keeps it. It is cancelled with the reason with which that one was, or with
  /// `CancellationError()`, and from as far up its chain as nobody else wants it. Does nothing to a settled
  /// promise, nor to a `shielded()` one.
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
