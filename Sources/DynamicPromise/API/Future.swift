/// A read-only promise. It has all operations that use an outcome, and none that fulfills or rejects the
/// promise.
///
/// Every future is a ``Promise``. Code that starts a task returns `promise.future`, and stores the promise or
/// its ``Resolver``. Users of the future can register handlers, await, read the state and cancel. `then` and
/// the other operators return a new promise, which the caller may settle. A future that is passed to
/// `resolve` or to a combinator, or returned by a handler, is followed like a promise.
///
/// The type does not prevent access to the promise: a cast, or the `parent` of a child, returns it.
public class Future: @unchecked Sendable {
  /// Only `Promise` calls this. (Without the label, `Promise` would have to override `init()`.)
  init(asPromise: Void) {}

  /// This future as a `Promise`, which every future is.
  @inlinable
  package final var promise: Promise { self as! Promise }

  /// The nearest existing ancestor. It is the parent while this promise waits for the parent or runs its
  /// handler. Afterwards it is the parent if the parent still exists, otherwise the next existing ancestor.
  /// `nil` for a root.
  public var parent: Future? { promise.parent }

  /// The topmost existing ancestor, or the promise itself if no ancestor exists.
  public var root: Future { promise.root }

  /// Cancels with `CancellationError()`: see ``cancel(_:)``.
  @discardableResult
  public final func cancel() -> Bool { cancel(CancellationError()) }

  /// Cancels this promise and all its descendants, never its parent or siblings.
  ///
  /// A pending promise is rejected at once with `reason`, which is wrapped in
  /// ``PromiseError/cancelled(reason:)`` if it is not an `Error`. Cancellation hooks run on this stack.
  /// Children are cancelled when their rejection handlers have returned, or at once if they have none. A
  /// promise that this promise follows is cancelled unless it has other consumers. A settled promise does not
  /// change, but its pending descendants are cancelled. On a promise that was cancelled by request, the call
  /// has no effect. The call may be made from any thread, even from the promise's own handlers.
  ///
  /// If several consumers share a promise, each should cancel only the child that its own `then` returned.
  ///
  /// - Returns: Whether this call has settled this promise. If it is `false`, the promise had settled before;
  ///   the call may still have cancelled descendants.
  @discardableResult
  public final func cancel(_ reason: Any) -> Bool {
    let promise = promise
    let reason = PromiseError.asCancellation(reason)
    let turn = Turn.current
    promise.lock.lock()
    let isFirst = !promise.state.isSettled
    promise.visit(reason, turn)
    promise.lock.unlock()
    promise.clearPendingMarks()
    turn.drain()
    return isFirst
  }
}

extension Promise {
  /// This promise as a read-only type.
  public var future: Future { self }
}

extension Future: Hashable {
  /// Whether both futures are the same promise.
  public static func == (left: Future, right: Future) -> Bool { left === right }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
