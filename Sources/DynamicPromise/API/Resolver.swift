/// The side of the task: settles a promise, and hears of a cancellation or that nobody waits any more.
///
/// A resolver does not keep its promise alive, so that a task can learn that nobody waits. When the last
/// reference to it goes away while the promise is unresolved, the promise is rejected with
/// ``PromiseError/broken``, so that nobody waits for ever. Every method may be called from any thread; the
/// first resolution wins.
public final class Resolver: @unchecked Sendable {
  /// Never changed.
  private weak var promise: Promise?
  /// What the promise keeps beside its state, and which lock guards that, for when the promise has gone.
  private let side: Side
  private let lock: TreeLock

  init(_ promise: Promise, _ origin: Promise.Origin?) {
    self.promise = promise
    lock = promise.lock
    side = Side(origin)
    // Nobody else has seen it yet.
    promise.side = side
    if Diagnosis.isListening, let origin {
      Diagnosis.notify { $0.placed(ObjectIdentifier(promise), origin) }
    }
  }

  deinit {
    // To ask the weak reference costs more than all the rest of a settlement.
    if lock.with({ side.end != .settled }) { promise?.breakIfUnresolved() }
  }

  /// Fulfills with `value` as it is, whatever it is, `nil` too. Here as below: nothing if the promise is
  /// resolved or gone.
  ///
  /// - Returns: Here as below: whether this call has won. `false`: the promise was resolved or cancelled
  ///   before, or nobody waits for it any more.
  @discardableResult
  public func fulfill(_ value: consuming Any?) -> Bool {
    promise?.settleByHand(.fulfilled(Value(value ?? Promise.missing))) ?? false
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as `nil`
  /// is not. Never adopts.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    promise?.settleByHand(.rejected(PromiseError.asError(reason ?? Promise.missing))) ?? false
  }

  /// Runs the resolution procedure: adopts a promise or thenable, rejects with an `Error`, fulfills with
  /// anything else, `nil` too. The promise itself rejects it with ``PromiseError/cycle``.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    if let promise = promise { return promise.resolve(x) }
    if let x, case .promise(let other) = Fact(x), let reason = cancelReason {
      // Cancelled, and gone since: whether somebody holds it makes no difference to what it would have
      // followed (C4).
      let effects = Effects.begin()
      other.withdraw(reason, effects)
      Driver.perform(effects)
    }
    return false
  }

  /// For callbacks of the shape `(value?, error?)`: rejects with the error if there is one, else resolves
  /// with the value. Both given: the error counts. Neither: fulfilled with `nil`.
  @discardableResult
  public func resolve(_ value: Any?, _ error: (any Error)?) -> Bool {
    if let error { reject(error) } else { resolve(value) }
  }

  /// Whether the promise was cancelled by request.
  public var isCancelled: Bool { cancelReason != nil }

  /// Whether nobody waits any more: the promise went away unresolved.
  public var isAbandoned: Bool { lock.with { side.end == .abandoned } }

  /// With what the promise was cancelled.
  private var cancelReason: (any Error)? { lock.with { side.end == .cancelled ? side.reason : nil } }

  /// Runs `handler` once if the promise is cancelled, on the cancelling stack, with nothing locked: the place
  /// to cancel the task. Registered late, it runs at once; it is dropped when the promise settles otherwise.
  public func onCancel(_ handler: @escaping @Sendable (any Error) -> Void) {
    if let promise = promise {
      promise.addCancelHook(handler)
    } else if let reason = cancelReason {
      handler(reason)
    }
  }

  /// Runs `handler` once if the promise goes away unresolved, on the releasing stack: nobody waits for the
  /// task any more. Registered late, it runs at once; it is dropped when the promise is resolved.
  public func onAbandon(_ handler: @escaping @Sendable () -> Void) {
    if let promise = promise { return promise.addAbandonHook(handler) }
    let isLate = lock.with {
      // On its way out, and has not said yet how it ends.
      if side.end == .none { side.abandonHooks.append(handler) }
      return side.end == .abandoned
    }
    if isLate { handler() }
  }

  /// The task has a result, so there is nothing left to cancel. With its cancel hook the promise would have
  /// to stay when it follows another one, and a loop of asynchronous handlers would grow.
  func endTask() {
    let hooks = lock.with {
      defer { side.cancelHooks = [] }
      return side.cancelHooks
    }
    withExtendedLifetime(hooks) {}
  }
}

extension Promise {
  /// Nobody can resolve this promise any more.
  fileprivate func breakIfUnresolved() {
    let effects = Effects.begin()
    lock.lock()
    if state.isUnresolved {
      resolve(with: .rejected(PromiseError.brokenAt(side?.origin)), effects)
    } else {
      flags.remove(.awaitsResolution)
    }
    lock.unlock()
    Driver.perform(effects)
  }

  /// Keeps `hook` for a cancel by request, or runs it if there was one.
  func addCancelHook(_ hook: @escaping @Sendable (any Error) -> Void) {
    let effects = Effects.begin()
    lock.lock()
    let reason = flags.contains(.cancelled) ? state.outcome?.reason : nil
    if !state.isSettled {
      sideFields.cancelHooks.append(hook)
      updateHolds(effects)
    }
    lock.unlock()
    Driver.perform(effects)
    if let reason { hook(reason) }
  }

  /// Keeps `hook` for the case that the promise goes away unresolved; too late if it is resolved.
  func addAbandonHook(_ hook: @escaping @Sendable () -> Void) {
    lock.with { if state.isUnresolved { sideFields.abandonHooks.append(hook) } }
  }
}
