// A promise that is not cancelled when its consumers leave.

extension Promise {
  /// A child that follows this promise, and is not cancelled when its consumers leave. Use it for a session
  /// that many requests share, or for an entry of a cache.
  ///
  /// While the child is pending, this promise is not cancelled when its other consumers leave, because the
  /// child is a consumer. `cancel()` on the child or on a promise above it still cancels the child.
  public func shielded() -> Promise {
    let turn = Turn.current
    let child = child(Handler(.shield) { value, _ in .fulfilled(value) }, turn)
    turn.drain()
    return child
  }
}
