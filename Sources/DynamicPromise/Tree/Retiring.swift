// The end of a promise: the last hold was dropped. Called with the lock held. What has to be released is
// added to the turn.

extension Core {
  /// Frees this promise.
  func retire(_ turn: Turn) {
    guard phase != .gone else { return leaveTree(turn) }
    noteFreed()
    switch phase {
    case .fulfilled: turn.release(takeValue())
    case .rejected:
      if !flags.contains(.observed) { reportLoss(turn) }
      turn.release(takeReason())
    default: retirePending(turn)
    }
    if hasSide { releaseSide(turn) }
    phase = .gone
    leaveTree(turn)
  }

  /// Retires a promise that was not resolved, or follows another promise.
  @inline(never)
  private func retirePending(_ turn: Turn) {
    // Only a step that follows a promise: other pending children have a hold on themselves.
    let parent = heldParent
    switch phase {
    case .following:
      let adoption = takeAdoption()
      adoption.followerLeaves(side?.reason)
      turn.add(.leave(adoption))
      side?.end = .left
    case .followingThenable: side?.end = .left
    case .handler: turn.release(takeHandler())
    default:
      guard let side else { break }
      side.end = .abandoned
      let hooks = side.abandonHooks
      side.abandonHooks = []
      for hook in hooks { turn.call(hook) }
    }
    parent?.drop(turn)
  }

  @inline(never)
  private func releaseSide(_ turn: Turn) {
    guard let side = side else { return }
    self.side = nil
    side.forgetCore()
    var observers = ObserverList()
    swap(&observers, &side.observers)
    observers.forEach { $0.target = nil }
    observers.dissolve { turn.release($0) }
    if !side.cancelHooks.isEmpty {
      // Ends a possible cycle: the hooks may retain the resolver, which retains the side storage.
      turn.release(side.cancelHooks)
      side.cancelHooks = []
    }
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
      next = above.flatMap { $0.phase == .gone && $0.holds == 0 && $0.firstChild == nil ? $0 : nil }
    }
  }

  /// Moves the children to the next ancestor.
  ///
  /// - Returns: The context, if the caller has to release it.
  @inline(__always)
  private func unlinkAndFree() -> ContextRef? {
    while let child = firstChild {
      remove(child)
      if let up { up.insert(child) } else { child.up = nil }
    }
    if isListed { up?.remove(self) }
    return free()
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
    if holds == 1, phase == .fulfilled, !hasSide, !hasManyChildren, defaultContext.isTrivial,
      !Diagnosis.isListening, !isBelowGone
    {
      // The usual end, without the thread's turn.
      dropLast()
      let value = takeValue()
      phase = .gone
      _ = unlinkAndFree()
      lock.unlock()
      withExtendedLifetime(value) {}
    } else {
      handleIsFreedSlowly(lock)
    }
  }

  /// Whether the core above was freed, and stays for its children only.
  @inline(__always)
  private var isBelowGone: Bool { isListed && up?.phase == .gone }

  @inline(never)
  private func handleIsFreedSlowly(_ lock: TreeLock) {
    let turn = Turn.current
    dropOrSkip(turn)
    lock.unlock()
    turn.drain()
  }
}
