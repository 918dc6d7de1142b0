// Propagating a cancel: down the tree, parents first.
//
// A visit comes to every promise that may have something pending below it. The mark that says so is taken
// back only where a visit has found nothing, so a second cancel finds whatever the first has not reached yet.

extension Promise {
  /// The cancel has come to this promise. Called with the lock held. A pending promise settles at once, and
  /// its waiting children get the cancel when it is dispatched. A settled one stays as it is and passes the
  /// cancel on. One that was cancelled has passed it on already.
  func visit(_ reason: any Error, _ effects: Effects) {
    if !state.isSettled {
      if !kind.contains(.unfinished) { cancelPending(reason, effects) }
    } else if !flags.contains(.cancelled), hasPendingHereOrBelow {
      effects.add(.cancelChildren(self, reason))
    }
  }

  /// Cancels a pending promise. One that is unresolved withdraws from what it is resolved with later.
  func cancelPending(_ reason: any Error, _ effects: Effects) {
    if state.isUnresolved { flags.insert(.awaitsResolution) }
    leaveWork()
    settle(.rejected(reason), byRequest: true, effects)
  }

  /// Visits this promise. Called with nothing locked.
  func cancel(because reason: any Error, _ effects: Effects) {
    lock.lock()
    visit(reason, effects)
    lock.unlock()
    takeBackMark()
  }

  /// Passes a cancel on to the children. Called with nothing locked.
  func cancelChildren(_ reason: any Error, _ effects: Effects) {
    let children = readChildren()
    for child in children {
      child.lock.lock()
      if !child.isCleaningUp(below: self) { child.visit(reason, effects) }
      child.lock.unlock()
      child.takeBackMark()
    }
    effects.letGo(of: children as Any)
  }

  /// Whether the handler of this child runs, or is to run, because its parent was cancelled. The child is
  /// cancelled when the handler has returned.
  private func isCleaningUp(below parent: Promise) -> Bool {
    guard parent.flags.contains(.cancelled) else { return false }
    switch state {
    case .handler, .running: return true
    case .unresolved, .following, .fulfilled, .rejected: return false
    }
  }
}
