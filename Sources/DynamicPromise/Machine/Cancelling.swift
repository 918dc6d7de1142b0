// Propagates a cancel down the tree, parents first.
//
// A cancel visits every promise that may have a pending descendant (`mayHavePending`). The mark is removed
// after a visit only if nothing is pending. A second cancel therefore finds the promises that the first
// cancel has not visited yet.

// Called with the lock held; the caller has a hold.
extension Core {
  /// Passes a cancel to this promise. A pending promise settles at once, and its waiting children are
  /// cancelled when it is dispatched. A settled promise passes the cancel on to its children; a cancelled
  /// promise has already done so.
  func visit(_ reason: any Error, _ turn: Turn) {
    if !isSettled {
      if !kind.contains(.unfinished) { cancelPending(reason, turn) }
    } else if !flags.contains(.cancelled), hasPendingHereOrBelow {
      hold()
      turn.add(.cancel(self, reason))
    }
  }

  /// Cancels a pending promise. If the promise is unresolved, it withdraws from any promise with which it is
  /// resolved later.
  ///
  /// - Parameter hasWithdrawn: Whether the caller withdraws from its parent.
  func cancelPending(_ reason: any Error, hasWithdrawn: Bool = false, _ turn: Turn) {
    if phase.isUnresolved { flags.insert(.awaitsResolution) }
    let withdraws =
      hasWithdrawn || phase == .following || side?.observers.completion?.hasUnfinishedWork(true) == true
    addUnfinishedWork(turn)
    settle(reason: reason, byRequest: true, hasWithdrawn: withdraws, turn)
  }
}

extension Core {
  /// Cancels the children of this settled promise. Called with nothing locked, and with a hold, which it
  /// drops.
  func passCancel(_ reason: any Error, _ turn: Turn) {
    let lock = lock
    for child in readChildren(turn) {
      lock.lock()
      // A child whose handler runs because of a cancel is cancelled when that handler returns.
      let hasHandler = child.phase == .handler || child.phase == .running
      if !hasHandler || !flags.contains(.cancelled) { child.visit(reason, turn) }
      lock.unlock()
      child.clearPendingMarks(turn)
      lock.with { child.drop(turn) }
    }
    lock.with { drop(turn) }
  }
}
