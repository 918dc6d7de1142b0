// `settle` is the only transition into a settled state. Other functions of this file resolve a promise
// without running a handler. Called with the lock held.

extension Promise {
  /// Settles a pending promise.
  ///
  /// - Parameter adoption: The adoption that provides the outcome, if any.
  func settle(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, from adoption: Adoption? = nil,
    _ turn: Turn
  ) {
    var former = State(consume outcome)
    swap(&former, &state)
    if isCancelled { flags.insert(.cancelled) }
    noteSettled()
    turn.addToGroup(self)
    switch former {
    case .unresolved, .running, .fulfilled, .rejected, .followingThenable: break
    case .handler(let handler): discard(handler, isCancelled, turn)
    case .following(let node):
      if node !== adoption { turn.add(.leave(node, isCancelled ? state.reason : nil)) }
    }
    #if DEBUG
      if state.reason != nil { noteLandmark() }
    #endif
    if flags.contains(.waiting) { stopWaiting(turn) }
    inheritWork(byRequest: isCancelled)
    // If this stack still has to dispatch the parent's other children, the parent is released after that.
    if !flags.contains(.resumesParent) { releaseParent(turn) }
    if let side { settleSide(side, isCancelled, turn) }
    if flags.contains(.holdsItself) { releaseItself(turn) }
    if isCancelled, node?.firstChildWithPending != nil, let reason = state.reason {
      turn.add(.cancel(self, reason))
    }
    beginDispatch(turn)
  }

  /// Discards a handler that is not called. Its captures are released when the lock is free. The body of a
  /// `finally` still runs if its child was cancelled.
  private func discard(_ handler: Handler, _ isCancelled: Bool, _ turn: Turn) {
    if isCancelled, handler.isFinally, let reason = state.reason {
      addUnfinishedWork { $0.bodies += 1 }
      (handler.context ?? defaultContext).schedule(.body(handler, of: self, reason), turn)
    } else {
      turn.release(handler)
    }
  }

  private func settleSide(_ side: Side, _ isCancelled: Bool, _ turn: Turn) {
    // The consumers include children, but a promise whose children wait is marked in any case.
    if consumers > 0 || isCancelled && side.hasWithdrawnConsumer { flags.insert(.observed) }
    if !side.observers.isEmpty, let outcome = state.outcome {
      if side.observers.completion?.hasUnfinishedWork(isCancelled) == true {
        addUnfinishedWork { $0.awaitsCompletion = true }
      }
      var observers = ObserverList()
      swap(&observers, &side.observers)
      turn.add(.notify(observers, self, outcome))
    }
    if !side.abandonHooks.isEmpty {
      turn.release(side.abandonHooks as Any)
      side.abandonHooks = []
    }
    side.end = isCancelled ? .cancelled : .settled
    var hooks: [@Sendable (any Error) -> Void] = []
    if !side.cancelHooks.isEmpty { swap(&hooks, &side.cancelHooks) }
    if isCancelled, let reason = state.reason {
      // The former reason is that of the first withdrawal.
      if let former = side.reason { turn.release(former as Any) }
      side.reason = reason
      addUnfinishedTask(hooks, reason, turn)
    } else if !hooks.isEmpty {
      turn.release(hooks as Any)
    }
  }

  /// Resolves an unresolved promise with an outcome. The first resolution wins.
  ///
  /// - Returns: Whether this resolution won.
  @discardableResult
  func resolve(with outcome: consuming Outcome, _ turn: Turn) -> Bool {
    guard state.isUnresolved else {
      flags.remove(.awaitsResolution)
      turn.release(outcome as Any)
      return false
    }
    settle(consume outcome, turn)
    return true
  }
}
