// Propagating a cancel: down the tree, parents first.
//
// A visit comes to every promise that may have a pending descendant. The mark that says so is removed only
// where a visit has found none. So a second cancel finds what the first has not reached yet.

extension Promise {
  /// The cancel has come to this promise. Called with the lock held. A pending promise settles at once, and
  /// its waiting children get the cancel when it is dispatched. A settled one stays as it is and passes the
  /// cancel on. One that was cancelled has passed it on already.
  func visit(_ reason: any Error, _ turn: Turn) {
    if !state.isSettled {
      if !kind.contains(.unfinished) { cancelPending(reason, turn) }
    } else if !flags.contains(.cancelled), hasPendingHereOrBelow {
      turn.add(.cancel(self, reason))
    }
  }

  /// Cancels a pending promise. One that is unresolved withdraws from what it is resolved with later.
  func cancelPending(_ reason: any Error, _ turn: Turn) {
    if state.isUnresolved { flags.insert(.awaitsResolution) }
    leaveWork()
    turn.inGroup(of: withdrawsIfCancelled ? self : nil) { settle(.rejected(reason), byRequest: true, turn) }
  }

  /// Whether it follows another promise, or is the result of a series, or of a combinator that cancels its
  /// inputs.
  private var withdrawsIfCancelled: Bool {
    if case .following = state { return true }
    return side?.observers.completion?.leavesWork(true) == true
  }

  /// Cancels a pending promise, or the children of a settled one. Called with nothing locked.
  func passCancel(_ reason: any Error, _ turn: Turn) {
    lock.lock()
    let isPending = !state.isSettled
    if isPending { visit(reason, turn) }
    lock.unlock()
    if isPending { return }
    let children = readChildren()
    for child in children {
      child.lock.lock()
      if !child.isCleaningUp(below: self) { child.visit(reason, turn) }
      child.lock.unlock()
      child.takeBackMark()
    }
    turn.release(children as Any)
  }

  /// Whether the handler of this child runs, or is to run, because its parent was cancelled. The child is
  /// cancelled when the handler has returned.
  private func isCleaningUp(below parent: Promise) -> Bool {
    guard parent.flags.contains(.cancelled) else { return false }
    return switch state {
    case .handler, .running: true
    default: false
    }
  }
}
