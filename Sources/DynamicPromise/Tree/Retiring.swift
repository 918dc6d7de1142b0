// The end of a promise: the last hold was dropped. Called with the lock held. What has to be released is
// added to the turn.

extension Core {
  /// Frees this promise.
  func retire(_ turn: Turn) {
    guard phase != .gone else { return leaveTree(turn) }
    noteFreed()
    var end = End.settled
    switch phase {
    case .fulfilled: turn.release(takeValue())
    case .rejected:
      if !flags.contains(.observed) { reportLoss(turn) }
      if source != .none, flags.contains(.cancelled) { end = .cancelled(reason) }
      turn.release(takeReason())
    default: end = retirePending(turn)
    }
    if hasSide { releaseSide(turn) }
    phase = .gone
    if source != .none { set(end: end) }
    leaveTree(turn)
  }

  /// Retires a promise that was not resolved, or follows another promise.
  @inline(never)
  private func retirePending(_ turn: Turn) -> End {
    // Only a step that follows a promise: other pending children have a hold on themselves.
    let parent = heldParent
    switch phase {
    case .following:
      let adoption = takeAdoption()
      adoption.followerLeaves(side?.reason)
      turn.add(.leave(adoption))
    default:
      for hook in side?.abandonHooks ?? [] { turn.call(hook) }
      side?.abandonHooks = []
    }
    let end = phase.isUnresolved ? End.abandoned : .left
    parent?.drop(turn)
    return end
  }

  @inline(never)
  private func releaseSide(_ turn: Turn) {
    guard let side else { return }
    self.side = nil
    side.forgetCore()
    var observers = ObserverList()
    swap(&observers, &side.observers)
    observers.forEach { $0.target = nil }
    observers.dissolve { turn.release($0) }
    side.setWorkAbove(nil, turn)
    turn.release(side)
  }

  /// Removes this promise from the tree, and frees its memory, unless it has more children than one critical
  /// section moves. In that case the core stays until they have left.
  private func leaveTree(_ turn: Turn) {
    // Holds: a search through children may have one on a core that has left its place to them.
    guard holds == 0, !hasManyChildren else { return }
    var next: Core? = self
    while let core = next {
      let above = core.isListed ? core.up : nil
      if let context = core.unlinkAndFree() { turn.release(context) }
      // The last child has left an ancestor that was freed before.
      next = above.flatMap { $0.isEmpty ? $0 : nil }
    }
  }

  /// Whether this promise was freed, and no child, search or resolver needs its memory.
  private var isEmpty: Bool { phase == .gone && holds == 0 && firstChild == nil && source == .none }

  /// Called when the resolver is freed. It has broken the promise if that was unresolved. A follower can now
  /// be skipped, because no resolver can add a hook to it.
  func resolverIsFreed(_ turn: Turn) {
    source = .none
    if phase == .following {
      hold()
      dropOrSkip(turn)
    }
    guard phase == .gone else { return }
    if case .cancelled(let reason) = takeEnd() { turn.release(reason) }
    if isEmpty, let context = free() { turn.release(context) }
  }

  /// Moves the children to the next ancestor, and frees the memory unless a resolver reads it later. (A
  /// promise with a resolver is a root.)
  ///
  /// - Returns: The context, if the caller has to release it.
  @inline(__always)
  private func unlinkAndFree() -> ContextRef? {
    while let child = firstChild {
      remove(child)
      if let up { up.insert(child, before: self) } else { child.up = nil }
    }
    if isListed { up?.remove(self) }
    return source == .none ? free() : nil
  }
}

extension Core {
  /// Called in the `deinit` of a handle, with nothing locked.
  @inline(__always)
  func handleIsFreed(_ promise: Promise) {
    assert(Turn.current.isOutsideStep, "a promise was freed inside a step")
    let lock = lock
    lock.lock()
    forgetHandle(promise)
    if endsAsUsual { endAndUnlock(lock, .current) } else { handleIsFreedSlowly(lock) }
  }

  /// Drops a hold and releases the lock. Called outside a step, because the value may be released.
  @inline(__always)
  func dropAndUnlock(_ lock: TreeLock, _ turn: Turn) {
    if endsAsUsual { return endAndUnlock(lock, turn) }
    drop(turn)
    lock.unlock()
  }

  /// Whether the drop of a hold ends this promise and nothing above, and releases no more than its value.
  @inline(__always)
  private var endsAsUsual: Bool {
    holds == 1 && phase == .fulfilled && !hasSide && !hasManyChildren && defaultContext.isTrivial
      && !Diagnosis.isListening && !(isListed && up?.phase == .gone)
  }

  /// Ends this promise, and releases its value.
  @inline(__always)
  private func endAndUnlock(_ lock: TreeLock, _ turn: Turn) {
    dropLast()
    let value = takeValue()
    phase = .gone
    if source != .none { set(end: .settled) }
    _ = unlinkAndFree()
    lock.unlock()
    turn.releaseAtOnce(consume value)
  }

  @inline(never)
  private func handleIsFreedSlowly(_ lock: TreeLock) {
    let turn = Turn.current
    dropOrSkip(turn)
    lock.unlock()
    turn.drain()
  }
}
