// A promise that is not cancelled because those who wait for it are.

extension Future {
  /// A child that follows this promise, and is not cancelled when its own consumers are: for a session
  /// that many requests use, or an entry of a cache.
  ///
  /// While the child is pending, it counts as a consumer of this promise, so this promise is not cancelled
  /// either. `cancel()` on the child or on a promise above it cancels the child like any other.
  public final func shielded() -> Promise {
    let effects = Effects.begin()
    let child = promise.child(Handler(.shield) { .outcome($0) }, effects)
    Driver.perform(effects)
    return child
  }
}
