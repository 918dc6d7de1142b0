// Settling a promise directly, without a resolver. Only promises made with `Promise()` can be settled so, as
// RXPromise's root promises: whoever made a promise settles it.

extension Promise {
  /// Fulfills a promise made with `Promise()`, with `value` unchanged, of any type, `nil` included. The first
  /// resolution wins. Has no effect on other promises: a resolver, a handler or a combinator settles them.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func fulfill(_ value: consuming Any? = ()) -> Bool {
    let value = value ?? Promise.missing
    return settleIfOpen { $0.resolve(value: value, $1) }
  }

  /// Rejects a promise made with `Promise()`. `reason` is wrapped in ``PromiseError/rejected(reason:)`` if it
  /// is not an `Error`. A promise or thenable is wrapped too, and not followed. The first resolution wins.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    let reason = PromiseError.asError(reason ?? Promise.missing)
    return settleIfOpen { $0.resolve(reason: reason, $1) }
  }

  /// Resolves a promise made with `Promise()`. A promise or thenable is followed, an `Error` rejects, and any
  /// other value fulfills, `nil` included. Optionals are unwrapped. Passing the promise itself rejects it
  /// with ``PromiseError/cycle``. The first resolution wins. A thenable's `then` runs on the caller's stack.
  ///
  /// - Returns: Whether this call has resolved the promise. If the promise now follows another one, only a
  ///   cancel can settle it before that one settles.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    resolveIfOpen { $0.resolve(with: Resolution(x ?? Promise.missing), $1) }
  }

  /// Makes a promise made with `Promise()` follow `other`, like ``resolve(_:)``: it settles with the outcome
  /// of `other`. If this promise is cancelled, `other` is cancelled too, unless `other` has other consumers.
  /// This promise is rejected with ``PromiseError/cycle`` if `other` is this promise or follows it. A promise
  /// that follows its own descendant waits until one of the two is cancelled.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func bind(_ other: Promise) -> Bool {
    resolveIfOpen { $0.follow(other, $1) }
  }

  @inline(__always)
  private func settleIfOpen(_ resolve: (Core, Turn) -> Bool) -> Bool {
    let turn = Turn.current
    let lock = core.lock
    lock.lock()
    let won = core.flags.contains(.open) && resolve(core, turn)
    lock.unlock()
    turn.drain()
    return won
  }

  /// Nothing is locked meanwhile, because following may lock another tree, or call a thenable.
  private func resolveIfOpen(_ resolve: (Core, Turn) -> Bool) -> Bool {
    guard core.lock.with({ core.flags.contains(.open) }) else { return false }
    let turn = Turn.current
    let won = resolve(core, turn)
    turn.drain()
    return won
  }
}
