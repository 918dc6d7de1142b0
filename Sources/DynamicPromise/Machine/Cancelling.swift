// A request to cancel runs down the tree, top down, in visits (C1, C2, C3, C8).

extension Promise {
  /// How many children one critical section visits.
  private static let visits = 64

  /// The request has come to this promise. Called with the lock held. A pending promise settles at once; what waits for it hears
  /// of it when it is dispatched. A settled one stays as it is and passes the request on. One that was cancelled has passed it
  /// on already.
  func visit(_ reason: any Error, _ effects: inout Effects) {
    if !state.isSettled {
      settle(.rejected(reason), byRequest: true, &effects)
    } else if !flags.contains(.cancelled) {
      visitChildren(reason, &effects)
    }
  }

  /// Passes the request on to the children, some at a time. Called with the lock held.
  func visitChildren(_ reason: any Error, _ effects: inout Effects) {
    for _ in 0..<Self.visits {
      if !flags.contains(.cancelled), let child = waiting.first {
        child.settle(.rejected(reason), byRequest: true, &effects)
      } else if let child = node?.firstEnrolledChild {
        visitBelow(child, reason, &effects)
      } else {
        return
      }
    }
    effects.add(.cancelChildren(self, reason))
  }

  /// Whatever is below a visited child has been visited, or will be by this stack: until something pending is added there,
  /// nobody need look again.
  private func visitBelow(_ child: TreeNode, _ reason: any Error, _ effects: inout Effects) {
    guard let promise = child.promoted() else {
      // On its way out, and waiting for the lock: its children are this promise's now.
      var released: [Promise] = []
      if !child.handChildrenOver(&released) { child.dropOut() }
      if !released.isEmpty { effects.letGo(of: released as Any) }
      return
    }
    child.dropOut()
    if !promise.state.isSettled {
      // A cancelled promise's child is cancelled when its handler has returned (C2), also where that runs for another reason.
      if !flags.contains(.cancelled) || !promise.flags.contains(.unwantedHandler) {
        promise.visit(reason, &effects)
      }
    } else if !promise.flags.contains(.cancelled) {
      if promise.node?.firstEnrolledChild != nil || !promise.waiting.isEmpty {
        effects.add(.cancel(promise, reason))
      }
    }
    effects.letGo(of: promise)
  }
}
