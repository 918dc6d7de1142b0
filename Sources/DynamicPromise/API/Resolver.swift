/// Settles a promise on behalf of a task, and notifies the task if the promise is cancelled or abandoned.
///
/// A resolver does not retain its promise. If the resolver is deallocated while the promise is unresolved,
/// the promise is rejected with ``PromiseError/broken``, so its consumers do not hang. Every method may be
/// called from any thread; the first resolution wins, and later ones have no effect.
public final class Resolver: @unchecked Sendable {
  /// The promise's core. Its memory stays until the resolver is freed, but not its promise.
  private let core: Core
  private let lock: TreeLock

  init(_ promise: Promise, _ origin: Promise.Origin?, isOfTask: Bool = false) {
    (core, lock) = (promise.core, promise.core.lock)
    // No lock is needed: no other thread has seen the promise yet.
    core.source = isOfTask ? .awaitedResolver : .resolver
    core.origin = origin
    if Diagnosis.isListening, let origin { Diagnosis.notify { $0.placed(promise.identity, origin) } }
  }

  deinit {
    let turn = Turn.current
    lock.lock()
    if core.phase != .gone { core.breakIfUnresolved(turn) }
    core.resolverIsFreed(turn)
    lock.unlock()
    turn.drain()
  }

  /// The promise, unless it was freed.
  package var promise: Promise? { lock.with { core.phase == .gone ? nil : core.promise() } }

  /// Fulfills with `value` unchanged, of any type, `nil` included. Has no effect if the promise is resolved
  /// or freed.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func fulfill(_ value: consuming Any? = ()) -> Bool {
    let value = value ?? Promise.missing
    return settle { $0.resolve(value: value, $1) }
  }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`.
  ///
  /// - Returns: Whether this call has settled the promise.
  @discardableResult
  public func reject(_ reason: Any?) -> Bool {
    let reason = PromiseError.asError(reason ?? Promise.missing)
    return settle { $0.resolve(reason: reason, $1) }
  }

  /// Resolves with `x`. A promise or thenable is followed, an `Error` rejects, and any other value fulfills,
  /// `nil` included. An argument of static type `Result` uses the overload for `Result`.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve(_ x: Any?) -> Bool {
    let resolution = Resolution(x ?? Promise.missing)
    switch resolution {
    case .fulfilled(let value): return settle { $0.resolve(value: value, $1) }
    case .rejected(let reason): return settle { $0.resolve(reason: reason, $1) }
    case .promise, .task, .thenable: break
    }
    // If the promise was freed, `endResolver` is not needed. It matters only for a cancelled promise that
    // waits for its resolver, and is retained until then.
    guard let promise else { return false }
    let turn = Turn.current
    defer { turn.drain() }
    let won = promise.core.resolve(with: resolution, turn)
    // This call follows `resolve`, because a cancel between the two calls must not find the promise finished.
    lock.with { promise.core.endResolver(turn) }
    return won
  }

  /// For callbacks of the shape `(value?, error?)`. Rejects with the error if there is one, otherwise
  /// resolves with the value.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve(_ value: Any?, _ error: (any Error)?) -> Bool {
    if let error { reject(error) } else { resolve(value) }
  }

  /// For callbacks with a `Result`: resolves with its success, or rejects with its failure.
  ///
  /// - Returns: Whether this call has resolved the promise.
  @discardableResult
  public func resolve<Value, Failure: Error>(_ result: Result<Value, Failure>) -> Bool {
    switch result {
    case .success(let value): resolve(erased(value))
    case .failure(let reason): reject(reason)
    }
  }

  /// Has no result, for closures that `return resolver.reject(error)`.
  @_disfavoredOverload
  public func reject(_ reason: Any?) { _ = reject(reason) as Bool }

  /// Settles the promise, unless it was freed.
  @inline(__always)
  private func settle(_ resolve: (Core, Turn) -> Bool) -> Bool {
    let turn = Turn.current
    lock.lock()
    var won = false
    if core.phase != .gone {
      // Settling may drop the last other hold.
      core.hold()
      won = resolve(core, turn)
      if !won { core.endResolver(turn) }
      core.drop(turn)
    }
    lock.unlock()
    turn.drain()
    return won
  }

  /// Whether the promise was cancelled by request.
  public var isCancelled: Bool { cancelReason != nil }

  /// Whether the promise was abandoned: freed while unresolved.
  public var isAbandoned: Bool {
    if case .abandoned? = endOfFreedPromise { true } else { false }
  }

  /// How the promise ended, if it was freed.
  var endOfFreedPromise: Core.End? { lock.with { core.phase == .gone ? core.end : nil } }

  /// The reason with which the promise was cancelled.
  private var cancelReason: (any Error)? {
    lock.with {
      if core.phase != .gone { return core.flags.contains(.cancelled) ? core.reason : nil }
      return if case .cancelled(let reason) = core.end { reason } else { nil }
    }
  }

  /// Calls `handler` once with the reason if the promise is cancelled, on the cancelling stack, without a
  /// lock. Use this method to cancel the task. If the promise is already cancelled, `handler` is called at
  /// once. The handler is released when the promise settles without a cancel, or is freed.
  public func onCancel(_ handler: @escaping @Sendable (any Error) -> Void) {
    if let promise = promise {
      promise.addCancelHook(handler)
    } else if let reason = cancelReason {
      Turn.current.callAtOnce { handler(reason) }
    }
  }

  /// Calls `handler` once if the promise is abandoned, that is, freed while unresolved, on the releasing
  /// stack. If it is already abandoned, `handler` is called at once.
  public func onAbandon(_ handler: @escaping @Sendable () -> Void) {
    if let promise = promise { return promise.addAbandonHook(handler) }
    if isAbandoned { Turn.current.callAtOnce(handler) }
  }

  /// Makes ``Promise/finished(on:)`` wait for this resolver if its promise is cancelled: the promise is then
  /// finished when the resolver has been used or freed. Call this method for a task whose callback also comes
  /// after a cancel, before you return the promise:
  ///
  ///     Promise { resolver in
  ///       resolver.alwaysCallsBack()
  ///       let request = client.send { resolver.resolve($0) }
  ///       resolver.onCancel { _ in request.cancel() }
  ///     }
  ///
  /// Otherwise a cancelled promise is finished when its cancel hooks have returned, because a task that was
  /// cancelled may never call back. What waits for `finished()`, such as the next attempt of `retry`, hangs
  /// if the task keeps the resolver without using it.
  public func alwaysCallsBack() {
    lock.with { if core.source == .resolver { core.source = .awaitedResolver } }
  }

  /// Called when the operation of the Swift task has returned. Releases the cancel hooks, because a promise
  /// with a cancel hook may retain itself while it follows another promise.
  func endTask() {
    let turn = Turn.current
    lock.with {
      core.source = .resolver
      guard core.phase != .gone, let side = core.side else { return }
      turn.release(side.cancelHooks)
      side.cancelHooks = []
    }
    turn.drain()
  }
}

// Called with the lock held.
extension Core {
  /// Rejects the promise if it is unresolved, because its resolver was freed.
  fileprivate func breakIfUnresolved(_ turn: Turn) {
    hold()
    if phase.isUnresolved {
      settle(reason: PromiseError.brokenAt(origin), turn)
    } else {
      flags.remove(.awaitsResolution)
      endResolver(turn)
    }
    drop(turn)
  }

  /// Called when the resolver has been used: its task counts as ended.
  fileprivate func endResolver(_ turn: Turn) {
    source = .usedResolver
    endUnfinishedWork(turn) { $0.awaitsResolver = false }
  }
}

extension Promise {
  /// Stores `hook` for a later cancel by request. If the promise was cancelled by request before, calls
  /// `hook` at once.
  func addCancelHook(_ hook: @escaping @Sendable (any Error) -> Void) {
    let reason = core.lock.with { () -> (any Error)? in
      if !core.isSettled { core.sideFields.cancelHooks.append(hook) }
      return core.flags.contains(.cancelled) ? core.reason : nil
    }
    if let reason { Turn.current.callAtOnce { hook(reason) } }
  }

  /// Stores `hook` for a later abandonment; has no effect if the promise is resolved.
  func addAbandonHook(_ hook: @escaping @Sendable () -> Void) {
    core.lock.with { if core.phase.isUnresolved { core.sideFields.abandonHooks.append(hook) } }
  }
}
