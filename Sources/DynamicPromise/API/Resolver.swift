/// The task's side of a promise: settles it, and learns when it is cancelled or nobody waits for it any more.
///
/// A resolver does not keep its promise alive, so that a task can learn that nobody waits. When the last
/// reference to the resolver goes while the promise is unresolved, the promise is rejected with
/// ``PromiseError/broken``, so that nobody waits for ever. Every method may be called from any thread; the
/// first resolution wins.
public final class Resolver: @unchecked Sendable {
  /// Never changed.
  private weak var promise: Promise?
  /// What the promise keeps beside its state. It outlives the promise, and is guarded by `lock`.
  private let side: Side
  private let lock: TreeLock

  init(_ promise: Promise, _ origin: Promise.Origin?) {
    self.promise = promise
    lock = promise.lock
    side = Side(origin)
    // No lock: no other thread has seen the promise yet.
    promise.side = side
    if Diagnosis.isListening, let origin {
      Diagnosis.notify { $0.placed(ObjectIdentifier(promise), origin) }
    }
  }

  deinit {
    // To ask the weak reference costs more than all the rest of a settlement.
    if lock.with({ side.end != .settled }) { promise?.breakIfUnresolved() }
  }

  /// Fulfills with `value` as it is, whatever it is, `nil` too. Does nothing if the promise is resolved or
  /// freed.
  ///
  /// - Returns: Whether this call has settled the promise. If it is `false`, the promise was resolved or
  ///   cancelled before, or freed because nobody waited for it.
  @discardableResult
  public func fulfill(_ value: consuming Any?) -> Bool {
    promise?.settleByHand(.fulfilled(Value(value ?? Promise.missing))) ?? false
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as `nil`
  /// is not. A promise or thenable is wrapped like anything else. Does nothing if the promise is resolved or
  /// freed.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    promise?.settleByHand(.rejected(PromiseError.asError(reason ?? Promise.missing))) ?? false
  }

  /// Resolves with `x`: the promise follows a promise or thenable, is rejected by an `Error`, and fulfilled
  /// with anything else, `nil` too. (What is known to be a `Result` is taken by the
  /// other `resolve`.) The promise itself rejects it with ``PromiseError/cycle``. Does nothing
  /// if the promise is resolved or freed.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    if let promise = promise { return promise.resolve(x) }
    if let x, case .promise(let other) = Fact(x), let reason = cancelReason {
      // The promise was cancelled and then freed. It does not want `other`, as if it still existed.
      let effects = Effects.begin()
      other.withdraw(reason, effects)
      Driver.perform(effects)
    }
    return false
  }

  /// For callbacks of the shape `(value?, error?)`: rejects with the error if there is one, else resolves
  /// with the value. If both are given, the error counts; if neither is, the promise is fulfilled with `nil`.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve(_ value: Any?, _ error: (any Error)?) -> Bool {
    if let error { reject(error) } else { resolve(value) }
  }

  /// For callbacks that are given a `Result`: resolves with its value, or rejects with its error.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve<Value, Failure: Error>(_ result: Result<Value, Failure>) -> Bool {
    switch result {
    case .success(let value): resolve(erased(value))
    case .failure(let reason): reject(reason)
    }
  }

  /// The same as the other `reject`, for closures that return nothing: `return resolver.reject(error)`.
  @_disfavoredOverload
  public func reject(_ reason: Any?) { _ = reject(reason) as Bool }

  /// Whether the promise was cancelled by request.
  public var isCancelled: Bool { cancelReason != nil }

  /// Whether nobody waits for the promise any more: it was freed unresolved.
  public var isAbandoned: Bool { lock.with { side.end == .abandoned } }

  /// The promise, as long as it exists.
  var livingPromise: Promise? { promise }

  /// How the promise ended, if it does not exist any more.
  var endOfFreedPromise: Termination {
    lock.with {
      switch side.end {
      case .settled: .settled
      case .cancelled: .cancelled(side.reason ?? CancellationError())
      // It may be about to note that.
      case .abandoned, .none: .abandoned
      }
    }
  }

  /// The reason with which the promise was cancelled.
  private var cancelReason: (any Error)? { lock.with { side.end == .cancelled ? side.reason : nil } }

  /// Calls `handler` once, with the reason, if the promise is cancelled: on the cancelling stack, with
  /// nothing locked. This is the place to cancel the task. If the promise was cancelled before, `handler` is
  /// called at once. It is dropped when the promise settles otherwise.
  public func onCancel(_ handler: @escaping @Sendable (any Error) -> Void) {
    if let promise = promise {
      promise.addCancelHook(handler)
    } else if let reason = cancelReason {
      handler(reason)
    }
  }

  /// Calls `handler` once if the promise is freed unresolved, on the releasing stack: nobody waits for the
  /// task any more. If that has happened before, `handler` is called at once. It is dropped when the promise
  /// is resolved.
  public func onAbandon(_ handler: @escaping @Sendable () -> Void) {
    if let promise = promise { return promise.addAbandonHook(handler) }
    let isLate = lock.with {
      // The promise is being freed, and has not yet noted how it ended.
      if side.end == .none { side.abandonHooks.append(handler) }
      return side.end == .abandoned
    }
    if isLate { handler() }
  }

  /// Drops the cancel hooks: the task has a result, and is over. A promise with a cancel hook stays while it
  /// follows another one, so a loop of asynchronous handlers would grow.
  func endTask() {
    let hooks = lock.with {
      defer { side.cancelHooks = [] }
      return side.cancelHooks
    }
    withExtendedLifetime(hooks) {}
  }
}

extension Promise {
  /// Rejects the promise if it is unresolved, for nobody can resolve it any more.
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

  /// Keeps `hook` for a cancel by request, or calls it if there was one.
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
