// The deallocation of a promise.

extension Promise {
  /// Removes this promise from the tree; called in `deinit`. Until the promise has been removed, other
  /// threads may find it in the tree.
  @inline(__always)
  func retire() {
    assert(Turn.current.isOutsideStep, "a promise was freed inside a step")
    noteFreed()
    var released: [Promise] = []
    lock.lock()
    let observers = dismissObservers()
    while leaveTree(&released) {
      lock.unlock()
      released = []
      lock.lock()
    }
    if state.isFulfilled || state.isSettled && flags.contains(.observed) {
      node?.discard(guardedBy: lock)
      lock.unlock()
    } else {
      retireOther(observers)
    }
    // Retains these references until the lock is free, because a release under the lock might run a `deinit`.
    withExtendedLifetime(released) {}
  }

  /// Retires a pending promise, or a promise whose rejection was not observed. Called with the lock held;
  /// unlocks it.
  @inline(never)
  private func retireOther(_ observers: Dismissed) {
    let turn = Turn.current
    var lost: (any Error)?
    switch state {
    case .rejected(let reason): if !flags.contains(.observed) { lost = reason }
    case .fulfilled: break
    default: retirePending(observers, turn)
    }
    let ancestor = lost == nil ? nil : node?.nearestAncestor
    node?.discard(guardedBy: lock)
    lock.unlock()
    if let lost { reportLoss(lost, below: ancestor) }
    if let side {
      turn.release(side as Any)
      self.side = nil
    }
    turn.drain()
  }

  /// Retires a promise that is freed while it is pending. Only adopters wait for such a promise, and they
  /// follow its target from now on. Called with the lock held.
  private func retirePending(_ observers: Dismissed, _ turn: Turn) {
    if !observers.all.isEmpty { turn.release(observers.all as Any) }
    var former = State.unresolved
    swap(&former, &state)
    switch former {
    case .following(let adoption):
      adoption.adopterIsFreed(
        leaving: observers.adopters, unwanted: side?.reason, turn)
      turn.release(adoption as Any)
      side?.end = .left
    case .followingThenable:
      side?.end = .left
    case .handler(let handler):
      turn.release(handler)
    default:
      guard let side else { break }
      side.end = .abandoned
      let hooks = side.abandonHooks
      side.abandonHooks = []
      for hook in hooks { turn.call(hook) }
    }
    if let side, !side.cancelHooks.isEmpty {
      // Ends a possible cycle: the hooks may retain the resolver, which retains the side storage.
      turn.release(side.cancelHooks as Any)
      side.cancelHooks = []
    }
    releaseParent(turn)
  }
}
