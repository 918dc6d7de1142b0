// Settling a promise directly. Those who must not settle it are given its `future`.

extension Promise {
  /// Fulfills with `value` as it is, whatever it is, `nil` too. Does nothing if the promise is resolved:
  /// the first resolution wins.
  ///
  /// - Returns: Whether this call has settled the promise. If it is `false`, it was resolved or cancelled
  ///   before.
  @discardableResult
  public func fulfill(_ value: consuming Any?) -> Bool {
    settleByHand(.fulfilled(Value(value ?? Promise.missing)))
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as
  /// `nil` is not; a promise or thenable is wrapped like anything else, and not adopted. Does nothing if
  /// the promise is resolved.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    settleByHand(.rejected(PromiseError.asError(reason ?? Promise.missing)))
  }

  /// Resolves with `x`: follows a promise or thenable, is rejected by an `Error`, and fulfilled with
  /// anything else, `nil` too. Optionals are looked through. The promise itself rejects it with
  /// ``PromiseError/cycle``. Does nothing if the promise is resolved: the first resolution wins.
  ///
  /// A thenable's getter and method run on this stack. The method may call either function on any thread;
  /// when both are gone uncalled, the promise is rejected with ``PromiseError/broken``.
  ///
  /// - Returns: Whether this call has resolved the promise. If it now follows another one, it may still be
  ///   pending, and nothing but a cancel can come before that one's outcome.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    let effects = Effects.begin()
    let won = resolve(with: Fact(x ?? Promise.missing), effects)
    Driver.perform(effects)
    return won
  }

  /// Follows `other`: takes over its outcome. If this promise is cancelled, so is `other`, unless somebody
  /// else wants it. The same as resolving with `other`: does nothing if this promise is resolved; rejects
  /// it with ``PromiseError/cycle`` if `other` is this promise or follows it. A promise that follows its
  /// own descendant waits until one of the two is cancelled.
  ///
  /// - Returns: Whether this call has resolved the promise, as for ``resolve(_:)``.
  @discardableResult
  public func bind(_ other: Promise) -> Bool {
    let effects = Effects.begin()
    let won = adopt(other, effects)
    Driver.perform(effects)
    return won
  }

  /// Follows `other`, as ``bind(_:)-(Promise)`` does.
  @discardableResult
  public func bind(_ other: Future) -> Bool { bind(other.promise) }

  @inline(__always)
  @discardableResult
  func settleByHand(_ outcome: consuming Outcome) -> Bool {
    let effects = Effects.begin()
    lock.lock()
    let won = resolve(with: consume outcome, effects)
    lock.unlock()
    Driver.perform(effects)
    return won
  }
}
