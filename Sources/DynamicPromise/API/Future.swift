/// A promise as those see it who must not settle it: everything to consume an outcome, nothing to decide it.
///
/// Every future is a ``Promise``. A task hands out `promise.future` and keeps the promise, or its
/// ``Resolver``. Whoever has the future registers handlers, awaits, looks at the state and cancels; what
/// `then` and the others return is a promise of the caller's own. Handed to `resolve`, returned by a handler,
/// or given to a combinator a future is adopted.
///
/// This is a matter of types, not of secrets: a cast, or the `parent` of what `then` returns, leads back to
/// the promise.
public class Future: @unchecked Sendable {
  /// Only promises are made. (A label, so that it is no `init()` that `Promise` would have to override.)
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
  /// A pending promise settles at once, rejected with `reason` (wrapped in
  /// ``PromiseError/cancelled(reason:)`` if it is not an `Error`, as `nil` is not), and the cancel is
  /// passed on: cancellation handlers run on this stack, the promise that it follows is cancelled, children
  /// are cancelled as soon as their rejection handlers have returned, or at once if they have none. A settled
  /// promise stays as it is and passes the cancellation on to its descendants. A second cancellation does
  /// nothing. May be called from anywhere, from the promise's own handlers too.
  ///
  /// One among several consumers who wants only its own share gone cancels what its `then` returned.
  ///
  /// - Returns: Whether this call has settled this promise. `false`: it had settled before, though the
  ///   cancellation may have reached descendants of it.
  @discardableResult
  public final func cancel(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let effects = Effects.begin()
    promise.lock.lock()
    let isFirst = !promise.state.isSettled
    promise.visit(reason, effects)
    promise.lock.unlock()
    Driver.perform(effects)
    return isFirst
  }
}

extension Promise {
  /// This promise, for those who must not settle it.
  public var future: Future { self }
}

extension Future: Hashable {
  /// Whether both are the same promise.
  public static func == (left: Future, right: Future) -> Bool { left === right }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
