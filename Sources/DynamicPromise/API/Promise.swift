// The class and its stored properties. Each family of operators has a file of its own in this folder; how
// they work is in `Machine/`, which begins with `Machine/State.swift`, and in `Tree/`.

/// A value of any type that will be there later, or the reason why it will not.
///
/// A promise is pending, then fulfilled with a value or rejected with an `Error`, for good. Handlers given to
/// `then`, `catch` and `finally` run when it has settled, each on an execution context. Each of these calls
/// returns a new promise, the child, which the handler's result resolves. ``parent`` and ``root`` lead to the
/// ancestors; ``Future/cancel()`` cancels the descendants. All of that is inherited from ``Future``, the type
/// for those who must not settle the promise.
///
/// A promise may be used from any thread. Its value is `Any`, so the compiler cannot check who shares it:
/// whoever passes a value on must stop using it, and a value with several readers must be Sendable, or used
/// on one serial context only. Promise is unchecked Sendable for this reason alone.
///
/// A pending promise with handlers lives until it settles. One without handlers is freed when nobody holds
/// it, and its task is notified (``Resolver/onAbandon(_:)``).
public final class Promise: Future, @unchecked Sendable {
  // All of this is guarded by the tree's lock.
  @exclusivity(unchecked) var state: State
  /// The lock of the tree: the same for all promises in it.
  let lock: TreeLock
  /// What kind of child it is.
  @exclusivity(unchecked) var kind: Handler.Kind
  @exclusivity(unchecked) var flags: Flags
  /// How many consumers it has.
  @exclusivity(unchecked) var consumers: Int32 = 0
  /// The thread that runs this promise's handlers in place, while there is one.
  @exclusivity(unchecked) var runner: UInt32 = 0
  /// Its links in the tree; made when it gets relatives.
  @exclusivity(unchecked) var node: TreeNode?
  /// Children that wait for this promise. The others for which it is the nearest ancestor are linked to its
  /// node.
  @exclusivity(unchecked) var waiting = WaitingList()
  /// The context of handlers that name none. Never changed.
  let defaultContext: ContextRef
  /// What only few promises need.
  @exclusivity(unchecked) var side: Side?

  /// A root.
  init(_ state: consuming State = .unresolved, on context: consuming ContextRef) {
    self.state = consume state
    lock = .forNewTree()
    kind = []
    flags = []
    defaultContext = consume context
    super.init(asPromise: ())
    if Diagnosis.isListening { noteMade(below: nil) }
  }

  /// A child, without a handler if that is for no outcome. The caller enters it into the tree (`attach`) and
  /// reports it to diagnostics (`noteMade`): called from here, that would cost two reference counts.
  init(
    below parent: Promise, _ handler: consuming Handler, on context: consuming ContextRef? = nil
  ) {
    kind = handler.kind
    flags = []
    if let context {
      handler.context = context
      kind.insert(.ownContext)
    }
    state = kind.isDisjoint(with: .both) ? .unresolved : .handler(consume handler)
    lock = parent.lock
    defaultContext = parent.defaultContext
    super.init(asPromise: ())
  }

  /// The nearest ancestor that still exists: the parent while this promise waits for it or runs its
  /// handler; afterwards the parent if somebody holds it, else the next one up. `nil` for a root.
  public override var parent: Promise? { lock.with { node?.nearestAncestor } }

  /// The topmost ancestor that still exists; the promise itself if it has none.
  public override var root: Promise {
    var top = self
    while let next = top.lock.with({ top.node?.distantAncestor }) { top = next }
    return top
  }

  deinit { retire() }
}
