// The class and its stored properties. Each family of operators has a file in this folder. `Machine/` (start
// with `Machine/State.swift`) and `Tree/` implement the operators.

/// A future value of any type, or the reason for its absence.
///
/// A promise is pending, then permanently fulfilled with a value or rejected with an `Error`. Handlers of
/// `then`, `catch` and `finally` run when the promise has settled, each on an execution context. Each call of
/// these methods returns a new promise, the child, which the handler's result resolves. ``parent`` and
/// ``root`` are ancestors; ``cancel(_:)`` cancels the promise and its descendants. A pending promise without
/// handlers is freed when nothing retains it, and its task is notified (``Resolver/onAbandon(_:)``).
///
/// A promise may be used from any thread. The compiler cannot check how threads share the value, because its
/// type is `Any`: a sender must not use a value that is not Sendable again, and a value with several readers
/// must be Sendable, or all readers must run on one serial context. Hence the unchecked conformance.
public final class Promise: @unchecked Sendable {
  // The tree's lock guards all variables below.
  @exclusivity(unchecked) var state: State
  /// The tree's lock, shared by all promises in it.
  let lock: TreeLock
  /// The outcomes for which the handler runs, and fixed properties of a child.
  @exclusivity(unchecked) var kind: Handler.Kind
  @exclusivity(unchecked) var flags: Flags
  /// The number of consumers.
  @exclusivity(unchecked) var consumers: Int32 = 0
  /// The thread that is running this promise's handlers in place.
  @exclusivity(unchecked) var runner: UInt32 = 0
  /// The links in the tree; allocated with the first relative.
  @exclusivity(unchecked) var node: TreeNode?
  /// Children that wait for this promise. Other children are linked to its node.
  @exclusivity(unchecked) var waiting = WaitingList()
  /// The context of handlers for which no other context is given.
  let defaultContext: ContextRef
  /// Rarely used state.
  @exclusivity(unchecked) var side: Side?

  /// Makes a root.
  init(_ state: consuming State = .unresolved, on context: consuming ContextRef) {
    self.state = consume state
    lock = .forNewTree()
    kind = []
    flags = []
    defaultContext = consume context
    if Diagnosis.isListening { noteCreated(below: nil) }
  }

  /// Makes a child. A handler that runs for neither outcome is not stored. The caller adds the child to the
  /// tree (`attach`) and reports it to diagnostics (`noteCreated`).
  init(below parent: Promise, _ handler: consuming Handler) {
    kind = handler.context == nil ? handler.kind : handler.kind.union(.ownContext)
    flags = []
    state = kind.isDisjoint(with: .both) ? .unresolved : .handler(consume handler)
    lock = parent.lock
    defaultContext = parent.defaultContext
  }

  /// The nearest existing ancestor. While this promise waits, it is the parent. `nil` for a root.
  public var parent: Promise? { lock.with { node?.nearestAncestor } }

  /// The topmost existing ancestor, or the promise itself if no ancestor exists.
  public var root: Promise {
    var top = self
    while let next = top.lock.with({ top.node?.distantAncestor }) { top = next }
    return top
  }

  deinit { retire() }
}

extension Promise {
  /// Cancels this promise and all its descendants, never its parent or siblings.
  ///
  /// A pending promise is rejected at once with `reason`, by default a `CancellationError`. A reason that is
  /// not an `Error` is wrapped in ``PromiseError/cancelled(reason:)``. Cancellation hooks run on this stack.
  /// Children are cancelled when their rejection handlers have returned, or at once if they have none. A
  /// promise that this promise follows is cancelled unless it has other consumers. A settled promise does not
  /// change, but its pending descendants are cancelled. A second call has no effect.
  ///
  /// - Returns: Whether this call has settled this promise. If not, it may have cancelled descendants.
  @discardableResult
  public func cancel(_ reason: Any = CancellationError()) -> Bool {
    let reason = PromiseError.asCancellation(reason)
    let turn = Turn.current
    lock.lock()
    let isFirst = !state.isSettled
    visit(reason, turn)
    lock.unlock()
    clearPendingMarks(turn)
    turn.drain()
    return isFirst
  }
}

extension Promise: Hashable {
  /// Whether both are the same promise.
  public static func == (left: Promise, right: Promise) -> Bool { left === right }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
