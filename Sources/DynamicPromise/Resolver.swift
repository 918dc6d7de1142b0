/// The side of the task: settles a promise, and hears of a cancellation or that nobody waits any more.
///
/// A resolver does not keep its promise alive (L2), so that a task can learn that nobody waits (L1). When the last
/// reference to it goes away while the promise is unresolved, the promise is rejected with ``PromiseError/broken``:
/// nothing hangs. Every method may be called from any thread; the first resolution wins.
public final class Resolver: Sendable {
  private let fate: Fate
  private let target: Faint

  init(_ promise: Promise, _ origin: Promise.Origin?) {
    fate = Fate(origin)
    target = Faint(promise)
    // Nobody else has seen it yet.
    promise.rare = Rare(.passRetained(fate))
    if let origin { Diagnosis.tell { $0.placed(ObjectIdentifier(promise), origin) } }
  }

  deinit {
    // Most have been used.
    if target.isUnresolved { reject(with: PromiseError.brokenAt(fate.origin)) }
  }

  /// Fulfills with `value` as it is, whatever it is, `nil` too. Here as below: nothing if the promise is resolved or gone (L2.6).
  public func fulfill(_ value: Any) { target.settle(Store(value: value), State.fulfilled) }

  /// Rejects with `reason`, wrapped in ``PromiseError/rejected(reason:)`` if it is not an `Error`, as `nil` is not. Never adopts.
  public func reject(_ reason: Any) { reject(with: PromiseError.asError(reason)) }

  private func reject(with reason: any Error) { target.settle(Store(reason: reason), State.rejected) }

  /// Runs the resolution procedure: adopts a promise or thenable, rejects with an `Error`, fulfills with anything else, `nil`
  /// too. The promise itself rejects it with ``PromiseError/cycle``.
  public func resolve(_ x: Any) {
    switch Fact(x) {
    case .value(let value): fulfill(value)
    case .error(let reason): reject(with: reason)
    case .promise(let other):
      if let promise = target.promise {
        promise.resolve(x)
      } else if let reason = fate.toldReason {
        // Told, and gone since: whether somebody holds it makes no difference to what it would have followed (C4).
        other.cancel(reason)
      }
    case .thenable: target.promise?.resolve(x)
    }
  }

  /// For callbacks of the shape `(value?, error?)`: rejects with the error if there is one, else resolves with the value. Both
  /// given: the error counts. Neither: fulfilled with `nil`.
  public func resolve(_ value: Any?, _ error: (any Error)?) {
    if let error { reject(error) } else { resolve(value as Any) }
  }

  /// Whether the promise was cancelled by message.
  public var isCancelled: Bool { fate.toldReason != nil }

  /// Whether nobody waits any more: the promise was cancelled, or went away unresolved.
  public var isAbandoned: Bool { fate.isAbandoned }

  /// Runs `handler` once if the promise is cancelled, on the cancelling stack, with nothing locked: the place to cancel
  /// the task. Registered late, it runs at once; it is dropped when the promise settles otherwise (C6).
  public func onCancel(_ handler: @escaping @Sendable (any Error) -> Void) {
    if let promise = target.promise {
      promise.addCancelHook(handler)
    } else if let reason = fate.toldReason {
      handler(reason)
    }
  }

  /// Runs `handler` once if the promise goes away unresolved, on the releasing stack: nobody waits for the task any more.
  /// Registered late, it runs at once; it is dropped when the promise is resolved (L1).
  public func onAbandon(_ handler: @escaping @Sendable () -> Void) {
    if let promise = target.promise {
      promise.addAbandonHook(handler)
    } else {
      fate.onAbandon(handler)
    }
  }

  /// The task that only this resolver belongs to has a result: there is nothing left to cancel. Were the hook kept, the promise would have to
  /// stand for itself when it follows another one, and a loop of asynchronous handlers would grow with each of them (L3).
  func endTask() { target.promise?.dropCancelHooks() }
}

/// What became of a promise, for a resolver that outlives it.
final class Fate: @unchecked Sendable {
  private static let abandoned: UInt = 1 << 1
  private static let told: UInt = 1 << 2
  /// The promise has gone, abandoned or not.
  private static let closed: UInt = 1 << 3

  private let word = LockedWord(0)
  private var reason: (any Error)?
  /// Handlers that came when the promise could not be reached any more and had not yet said how it ended.
  private var lateHooks: [@Sendable () -> Void] = []
  /// Where the promise was made, for the error if it is broken.
  let origin: Promise.Origin?

  init(_ origin: Promise.Origin?) { self.origin = origin }

  func tell(_ reason: any Error) {
    let bits = word.lock()
    self.reason = reason
    word.unlock(bits | Self.told)
  }

  /// The promise goes away. Returns the handlers that came too late for it, to be run if it is abandoned.
  func close(abandoned: Bool) -> [@Sendable () -> Void] {
    var hooks: [@Sendable () -> Void] = []
    let bits = word.lock()
    swap(&hooks, &lateHooks)
    word.unlock(bits | Self.closed | (abandoned ? Self.abandoned : 0))
    return hooks
  }

  /// For a handler that finds the promise gone, or going on another thread.
  func onAbandon(_ hook: @escaping @Sendable () -> Void) {
    let bits = word.lock()
    if bits & Self.closed == 0 { lateHooks.append(hook) }
    word.unlock(bits)
    if bits & Self.abandoned != 0 { hook() }
  }

  var isAbandoned: Bool { word.peek() & Self.abandoned != 0 }

  var toldReason: (any Error)? { word.peek() & Self.told != 0 ? reason : nil }
}

extension Promise {
  /// Keeps `hook` for a cancellation by message, or runs it if there was one.
  func addCancelHook(_ hook: @escaping @Sendable (any Error) -> Void) {
    let bits = word.lock()
    if !State.isSettled(bits) { coldFields.cancelHooks.append(hook) }
    let reason = bits & State.told != 0 ? reason : nil
    word.unlock(bits)
    if let reason { hook(reason) }
    if bits & State.mask == State.lockedIn { standForItself() }
  }

  fileprivate func dropCancelHooks() {
    var hooks: [@Sendable (any Error) -> Void] = []
    let bits = word.lock()
    if let cold { swap(&hooks, &cold.cancelHooks) }
    word.unlock(bits)
    withExtendedLifetime(hooks) {}
  }

  /// Keeps `hook` for the case that the promise goes away unresolved; too late if it is resolved.
  func addAbandonHook(_ hook: @escaping @Sendable () -> Void) {
    let bits = word.lock()
    if State.isUnresolved(bits) { coldFields.abandonHooks.append(hook) }
    word.unlock(bits)
  }
}
