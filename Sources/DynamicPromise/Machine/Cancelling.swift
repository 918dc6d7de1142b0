// Propagates a cancel down the tree, parents first.
//
// A cancel visits every promise that may have a pending descendant (`mayHavePending`). A visit removes that
// mark only if it finds nothing pending. A second cancel therefore finds the promises that the first cancel
// has not visited yet.

extension Promise {
  /// Passes a cancel to this promise. A pending promise settles at once, and its waiting children are
  /// cancelled when it is dispatched. A settled promise passes the cancel on to its children; a cancelled
  /// promise has already done so. Called with the lock held.
  func visit(_ reason: any Error, _ turn: Turn) {
    if !state.isSettled {
      if !kind.contains(.unfinished) { cancelPending(reason, turn) }
    } else if !flags.contains(.cancelled), hasPendingHereOrBelow {
      turn.add(.cancel(self, reason))
    }
  }

  /// Cancels a pending promise. If the promise is unresolved, it withdraws from any promise with which it is
  /// resolved later.
  func cancelPending(_ reason: any Error, _ turn: Turn) {
    if state.isUnresolved { flags.insert(.awaitsResolution) }
    addUnfinishedWork()
    turn.inGroup(of: withdrawsIfCancelled ? self : nil) { settle(.rejected(reason), byRequest: true, turn) }
  }

  /// Whether this promise follows another promise, or is the result of a series or of a combinator that
  /// cancels its inputs.
  private var withdrawsIfCancelled: Bool {
    if case .following = state { return true }
    return side?.observers.completion?.hasUnfinishedWork(true) == true
  }

  /// Cancels a pending promise, or the children of a settled promise. Called with nothing locked.
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
      child.clearPendingMarks(turn)
    }
    turn.release(children as Any)
  }

  /// Whether this child's handler runs, or will run, because the parent was cancelled. The child is cancelled
  /// when that handler returns.
  private func isCleaningUp(below parent: Promise) -> Bool {
    guard parent.flags.contains(.cancelled) else { return false }
    return switch state {
    case .handler, .running: true
    default: false
    }
  }
}
