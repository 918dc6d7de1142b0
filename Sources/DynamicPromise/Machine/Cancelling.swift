// Propagating a cancel: down the tree, parents first, some children at a time.

extension Promise {
  /// How many children one critical section visits.
  private static let visits = 64

  /// The cancel has come to this promise. Called with the lock held. A pending promise settles at once, and
  /// its children get the cancel when it is dispatched. A settled one stays as it is and passes the cancel
  /// on. One that was cancelled has passed it on already.
  func visit(_ reason: any Error, _ effects: Effects) {
    if !state.isSettled {
      settle(.rejected(reason), byRequest: true, effects)
    } else if !flags.contains(.cancelled) {
      visitChildren(reason, effects)
    }
  }

  /// Passes the cancel on to the children, some at a time. Called with the lock held.
  func visitChildren(_ reason: any Error, _ effects: Effects) {
    for _ in 0..<Self.visits {
      if !flags.contains(.cancelled), let child = waiting.first {
        child.settle(.rejected(reason), byRequest: true, effects)
      } else if let child = node?.firstChildLeadingToPending {
        visitBelow(child, reason, effects)
      } else {
        return
      }
    }
    effects.add(.cancelChildren(self, reason))
  }

  /// Everything below a visited child has been visited or is about to be: nobody has to look there again
  /// until something pending is added.
  private func visitBelow(_ child: TreeNode, _ reason: any Error, _ effects: Effects) {
    guard let promise = child.promoted() else {
      // Its `deinit` waits for the lock: its children are this promise's now.
      var released: [Promise] = []
      if !child.passChildrenUp(&released) { child.dropOut() }
      if !released.isEmpty { effects.letGo(of: released as Any) }
      return
    }
    child.dropOut()
    if !promise.state.isSettled {
      // A cancelled promise's child is cancelled when its handler has returned, also where that runs for
      // another reason.
      if !flags.contains(.cancelled) || !promise.flags.contains(.unwantedHandler) {
        promise.visit(reason, effects)
      }
    } else if !promise.flags.contains(.cancelled) {
      if promise.node?.firstChildLeadingToPending != nil || !promise.waiting.isEmpty {
        effects.add(.cancel(promise, reason))
      }
    }
    effects.letGo(of: promise)
  }
}
