// The task's side of a promise. Consumers that must not settle what they were given are better served with a
// `Resolver` on the other side.

extension Promise {
  /// Fulfills with `value` as it is, whatever it is, `nil` too. Ignored if the promise is resolved: first
  /// settlement wins.
  ///
  /// - Returns: Whether this call has won. `false`: somebody has resolved or cancelled the promise before.
  @discardableResult
  public func fulfill(_ value: consuming Any?) -> Bool {
    settleByHand(.fulfilled(Value(value ?? Promise.missing)))
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as `nil`
  /// is not; a promise or thenable is never adopted. Ignored if the promise is resolved.
  ///
  /// - Returns: Whether this call has won.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    settleByHand(.rejected(PromiseError.asError(reason ?? Promise.missing)))
  }

  /// The promise resolution procedure: follows a promise or thenable, rejects with an `Error`, fulfills with
  /// anything else, `nil` too; looks through optionals. A thenable's getter and method run on this stack; it
  /// may call back from anywhere, and one that never does is waited for until it cannot. With itself:
  /// rejected with ``PromiseError/cycle``. The first resolution wins.
  ///
  /// - Returns: Whether this call has won. The promise may still be pending then, and nobody but a
  ///   cancellation can change what becomes of it.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    let effects = Effects.begin()
    let won = resolve(with: Fact(x ?? Promise.missing), effects)
    Driver.perform(effects)
    return won
  }

  /// Follows `other`: takes over its outcome, and forwards a cancellation to it. The same as resolving with
  /// it: ignored if this promise is resolved, ``PromiseError/cycle`` if `other` is this promise or follows
  /// it. Following its own descendant it waits until one of the two is cancelled.
  ///
  /// - Returns: Whether this call has won, as for ``resolve(_:)``.
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
