// A promise that outlives those who wait for it.

extension Future {
  /// A child that follows this promise and is not cancelled because its own consumers withdraw: a session
  /// that requests come and go on, an entry of a cache.
  ///
  /// While it is pending it counts as one of this promise's consumers, so that this promise stays, too.
  /// `cancel()` on it, or from above, cancels it as any other.
  public final func shielded() -> Promise {
    let effects = Effects.begin()
    let child = promise.child(.unresolved, [.isConsumer, .shielded], effects)
    Driver.perform(effects)
    return child
  }
}
