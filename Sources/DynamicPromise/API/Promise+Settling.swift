// Settling a promise directly, without a resolver.

extension Promise {
  /// Fulfills with `value` unchanged, of any type, `nil` included. Has no effect if the promise is resolved:
  /// the first resolution wins.
  ///
  /// - Returns: Whether this call has settled the promise. If `false`, the promise was resolved or cancelled
  ///   before.
  @discardableResult
  public func fulfill(_ value: consuming Any?) -> Bool {
    settleByHand(.fulfilled(Value(value ?? Promise.missing)))
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`. A
  /// promise or thenable is wrapped too, and not followed. Has no effect if the promise is resolved.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    settleByHand(.rejected(PromiseError.asError(reason ?? Promise.missing)))
  }

  /// Resolves with `x`. A promise or thenable is followed, an `Error` rejects, and any other value fulfills,
  /// `nil` included. Optionals are unwrapped. Passing the promise itself rejects it with
  /// ``PromiseError/cycle``. Has no effect if the promise is resolved: the first resolution wins.
  ///
  /// A thenable's `then` getter, and the function that it returns, run on the caller's stack. The functions
  /// that the method receives may be called on any thread. If both functions are released uncalled, the
  /// promise is rejected with ``PromiseError/broken``.
  ///
  /// - Returns: Whether this call has resolved the promise. A promise that now follows another promise may
  ///   still be pending. Only a cancel can settle it before the other promise settles.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    let turn = Turn.current
    let won = resolve(with: Resolution(x ?? Promise.missing), turn)
    turn.drain()
    return won
  }

  /// Follows `other`: this promise settles with the outcome of `other`. If this promise is cancelled, `other`
  /// is cancelled too, unless `other` has other consumers. The effect is that of resolving with `other`. The
  /// call has no effect if this promise is resolved. This promise is rejected with ``PromiseError/cycle`` if
  /// `other` is this promise or follows this promise. A promise that follows its own descendant waits until
  /// one of the two promises is cancelled.
  ///
  /// - Returns: Whether this call has resolved the promise, as for ``resolve(_:)``.
  @discardableResult
  public func bind(_ other: Promise) -> Bool {
    let turn = Turn.current
    let won = adopt(other, turn)
    turn.drain()
    return won
  }

  @inline(__always)
  @discardableResult
  func settleByHand(_ outcome: consuming Outcome) -> Bool {
    let turn = Turn.current
    lock.lock()
    let won = resolve(with: consume outcome, turn)
    lock.unlock()
    turn.drain()
    return won
  }
}
