/// A read-only promise. It has every operation to consume an outcome, and none to settle it.
///
/// Every future is a ``Promise``. A task returns `promise.future`, and keeps the promise or its
/// ``Resolver``. Users of the future can register handlers, await, read the state and cancel. `then` and
/// the other operators return a new promise, which the caller may settle. A future that is passed to
/// `resolve` or to a combinator, or returned by a handler, is followed like a promise.
///
/// The type is an interface and not a protection: a cast, or the `parent` of a child, returns the promise.
public class Future: @unchecked Sendable {
  /// For `Promise` alone. (Without the label it would be an `init()` that `Promise` has to override.)
  init(asPromise: Void) {}

  /// The promise that every future is.
  @inlinable
  package final var promise: Promise { self as! Promise }

  /// The nearest existing ancestor: the parent while this promise waits for it or runs its handler.
  /// Afterwards it is the parent if that still exists, otherwise the next ancestor. `nil` for a root.
  public var parent: Future? { promise.parent }

  /// The topmost existing ancestor; the promise itself if it has none.
  public var root: Future { promise.root }

  /// Cancels with `CancellationError()`: see ``cancel(_:)``.
  @discardableResult
  public final func cancel() -> Bool { cancel(CancellationError()) }

  /// Cancels this promise and all its descendants, never its parent or siblings.
  ///
  /// A pending promise is rejected at once with `reason`, which is wrapped in
  /// ``PromiseError/cancelled(reason:)`` if it is not an `Error`. Cancellation hooks run on this stack.
  /// Children are cancelled when their rejection handlers have returned, or at once if they have none. A
  /// promise that this one follows is cancelled unless it has other consumers. A settled promise does not
  /// change, and its pending descendants are cancelled. A second cancel has no effect. May be called from
  /// any thread, also from the promise's own handlers.
  ///
  /// If several consumers share a promise, a consumer that leaves cancels the child that its own `then`
  /// returned.
  ///
  /// - Returns: Whether this call has settled this promise. If it is `false`, the promise had settled
  ///   before; descendants may still have been cancelled.
  @discardableResult
  public final func cancel(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let turn = Turn.current
    promise.lock.lock()
    let isFirst = !promise.state.isSettled
    promise.visit(reason, turn)
    promise.lock.unlock()
    promise.takeBackMark()
    turn.drain()
    return isFirst
  }
}

extension Promise {
  /// This promise as a read-only type.
  public var future: Future { self }
}

extension Future: Hashable {
  /// Whether both are the same promise.
  public static func == (left: Future, right: Future) -> Bool { left === right }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
