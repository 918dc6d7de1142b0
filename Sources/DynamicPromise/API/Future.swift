/// A promise for those who must not settle it: it has everything to consume an outcome, and nothing to
/// decide it.
///
/// Every future is a ``Promise``. A task returns `promise.future`, and keeps the promise or its
/// ``Resolver``. Whoever has the future can register handlers, await, read the state and cancel; what
/// `then` and the other operators return is a promise of the caller's own. A future that is given to
/// `resolve` or to a combinator, or returned by a handler, is adopted like the promise that it is.
///
/// The type says what a consumer should do, and enforces nothing: a cast, or the `parent` of what `then`
/// returns, leads back to the promise.
public class Future: @unchecked Sendable {
  /// For `Promise` alone. (Without the label it would be an `init()` that `Promise` has to override.)
  init(asPromise: Void) {}

  /// The promise that every future is.
  @inlinable
  package final var promise: Promise { self as! Promise }

  /// The nearest ancestor that still exists: the parent while this promise waits for it or runs its
  /// handler; afterwards the parent if somebody holds it, else the next one up. `nil` for a root.
  public var parent: Future? { promise.parent }

  /// The topmost ancestor that still exists; the promise itself if it has none.
  public var root: Future { promise.root }

  /// Cancels with `CancellationError()`: see ``cancel(_:)``.
  @discardableResult
  public final func cancel() -> Bool { cancel(CancellationError()) }

  /// Cancels this promise and all its descendants, never its parent or siblings.
  ///
  /// A pending promise settles at once: it is rejected with `reason` (wrapped in
  /// ``PromiseError/cancelled(reason:)`` if it is not an `Error`, as `nil` is not). Then the cancel is
  /// passed on: cancellation handlers run, on this stack; children are cancelled when their rejection
  /// handlers have returned, or at once if they have none; a promise that this one follows is cancelled
  /// unless somebody else wants it. A settled promise stays as it is and passes the cancel on to its
  /// descendants. A second cancel does nothing. May be called from any thread, from the promise's own
  /// handlers too.
  ///
  /// If several consumers share a promise, and one wants to leave, it cancels what its own `then`
  /// returned.
  ///
  /// - Returns: Whether this call has settled this promise. If it is `false`, the promise had settled
  ///   before; descendants may have been cancelled all the same.
  @discardableResult
  public final func cancel(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let effects = Effects.begin()
    promise.lock.lock()
    let isFirst = !promise.state.isSettled
    promise.visit(reason, effects)
    promise.lock.unlock()
    promise.takeBackMark()
    Driver.perform(effects)
    return isFirst
  }
}

extension Promise {
  /// This promise, as a type for those who must not settle it.
  public var future: Future { self }
}

extension Future: Hashable {
  /// Whether both are the same promise.
  public static func == (left: Future, right: Future) -> Bool { left === right }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
