// The class and its stored properties. Each family of operators has a file in this folder. `Machine/` (start
// with `Machine/Phase.swift`) and `Tree/` implement the operators.

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
  /// The state, which may outlive this object (`Memory/Core.swift`).
  let core: Core

  /// The handle of a core. Called with the lock held, or before another thread knows the core.
  @inline(__always)
  init(core: Core) {
    self.core = core
    core.addHandle(self)
  }

  deinit { core.handleIsFreed(self) }

  /// The nearest existing ancestor. It is the parent while this promise waits for the parent or runs its
  /// handler. Afterwards it is the parent if the parent still exists, otherwise the next existing ancestor.
  /// `nil` for a root.
  public var parent: Promise? { core.lock.with { core.nearestAncestor?.promise() } }

  /// The topmost existing ancestor, or the promise itself if no ancestor exists.
  public var root: Promise {
    var top = self
    while let next = top.core.lock.with({ top.core.distantAncestor?.promise() }) { top = next }
    return top
  }
}

extension Promise {
  /// A pending root.
  @inline(__always)
  convenience init(pendingOn context: consuming ContextRef, _ flags: Flags = []) {
    let lock = TreeLock.forNewTree()
    lock.lock()
    let core = Core.make(lock, .unresolved, on: consume context)
    core.flags = flags
    lock.unlock()
    self.init(core: core)
    if Diagnosis.isListening { core.noteCreated(below: nil) }
  }

  /// A root that is settled from the start.
  convenience init(_ outcome: consuming Outcome, on context: consuming ContextRef) {
    let lock = TreeLock.forNewTree()
    lock.lock()
    let core: Core
    switch consume outcome {
    case .fulfilled(let value):
      core = .make(lock, .fulfilled, on: consume context)
      core.set(value: value)
    case .rejected(let reason):
      core = .make(lock, .rejected, on: consume context)
      core.set(reason: reason)
    }
    lock.unlock()
    self.init(core: core)
    if Diagnosis.isListening { core.noteCreated(below: nil) }
  }

  var defaultContext: ContextRef { core.defaultContext }
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
    let isFirst = core.lock.with {
      let isFirst = !core.isSettled
      core.visit(reason, turn)
      return isFirst
    }
    core.clearPendingMarks(turn)
    turn.drain()
    return isFirst
  }
}

extension Promise: Hashable {
  /// Whether both are the same promise.
  public static func == (left: Promise, right: Promise) -> Bool { left.core == right.core }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(core) }
}
