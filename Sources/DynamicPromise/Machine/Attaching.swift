// Adds children to a promise.

extension Promise {
  /// Adds a child with this handler. A `nil` context means this promise's default context.
  ///
  /// If this promise is settled, the handler is scheduled before this call returns, unless an outer call or
  /// another thread has to schedule it. A child without a handler for the outcome settles with this promise's
  /// outcome.
  @usableFromInline
  func add(_ handler: consuming Handler, on context: consuming ContextRef?) -> Promise {
    let turn = Turn.current
    let child = child(consume handler, on: consume context, turn)
    turn.drain()
    return child
  }

  /// Makes a child with this handler and attaches it.
  @inline(__always)
  func child(
    _ handler: consuming Handler, on context: consuming ContextRef? = nil, _ turn: Turn
  ) -> Promise {
    handler.context = consume context
    let (core, lock) = (core, core.lock)
    lock.lock()
    let child = Promise(core: .child(of: core, consume handler))
    core.attach(child.core, turn)
    lock.unlock()
    return child
  }
}

// Called with the lock held.
extension Core {
  /// Makes a child, which the caller attaches. A handler that runs for neither outcome is not stored.
  @inline(__always)
  static func child(of parent: Core, _ handler: consuming Handler) -> Core {
    let kind = handler.context == nil ? handler.kind : handler.kind.union(.ownContext)
    let hasHandler = !kind.isDisjoint(with: .both)
    let child = make(parent.lock, hasHandler ? .handler : .unresolved, kind, on: parent.defaultContext)
    if hasHandler { child.set(handler: consume handler) }
    child.noteCreated(below: parent)
    return child
  }

  /// Adds a new child, which has a handle. If this promise is settled, schedules the child's handler, or
  /// settles the child.
  func attach(_ child: Core, _ turn: Turn) {
    guard isSettled else {
      wait(child)
      if child.wantsParent { changeDemand(by: 1, turn) }
      return
    }
    flags.insert(.observed)
    guard child.kind.handles(phase) else {
      adopt(child)
      insert(child)
      return child.inherit(from: self, turn)
    }
    wait(child)
    markPath()
    if flags.isDisjoint(with: [.dispatching, .runningInPlace]) { return beginDispatch(turn) }
    let isInPlace = child.runsInPlace
    guard isInPlace || flags.contains(.dispatching) else { return beginDispatch(turn) }
    // A handler in place may register others in place without limit.
    if !isInPlace || !turn.isInside(.draining) { child.flags.insert(.isLate) }
    guard isInPlace else { return }
    takeWaiting(child, turn)
    child.hold()
    let side = sideFields
    if side.late == nil { side.late = Side.Late() }
    side.late?.handlers.append(child)
  }
}
