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
    addUnfinishedWait(forDetachedChildOf: side, turn)
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
      if let detached = side.detachedChild.take() { turn.add(.cancel(detached, reason)) }
      return
    }
    if !hooks.isEmpty { turn.release(hooks as Any) }
    releaseDetachedChild(turn)
  }

  /// Releases the detached child of a settled promise, unless this promise's own job has to start it.
  func releaseDetachedChild(_ turn: Turn) {
    guard let side, let detached = side.detachedChild else { return }
    if side.startsDetachedChild, case .handler = detached.state { return }
    side.detachedChild = nil
    turn.release(detached)
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
    settleUnresolved(consume outcome, turn)
    return true
  }

  /// Settles an unresolved promise: by hand, perhaps while its handler waits or runs, or with the result of
  /// its handler (`afterRun`).
  func settleUnresolved(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, afterRun: Bool = false,
    _ turn: Turn
  ) {
    if !afterRun { addUnfinishedHandler() }
    displaceHandler(turn)
    passCancelFromAbove(turn)
    settle(consume outcome, byRequest: isCancelled, turn)
  }

  /// Passes a cancel on to a child that is resolved by hand while its handler runs, or will run, because of
  /// that cancel. The cancel is that of the parent, or results from a withdrawal. A child that now follows a
  /// promise is cancelled; otherwise its descendants are cancelled.
  func passCancelFromAbove(_ turn: Turn) {
    if let reason = reasonToCleanUp { turn.add(.cancel(self, reason)) }
  }

  /// Moves the waiting handler of a child that is resolved by hand to a detached child in the same place. The
  /// handler still has to run for the parent's outcome. The detached child has no observers, and is no
  /// consumer.
  func displaceHandler(_ turn: Turn) {
    guard case .handler(let handler) = state, let parent = heldParent, let node else { return }
    if wantsParent { parent.changeDemand(by: -1, turn) }
    let detached = Promise(below: parent, handler)
    detached.kind = kind.union(.onlyWaits).subtracting(.step)
    detached.flags = flags.intersection(.unwantedHandler).union(.observed)
    kind.formIntersection(.step)
    detached.noteCreated(below: parent)
    // The demand is considered again, because the child no longer waits for the cancel of an ancestor that
    // has begun.
    if flags.remove(.givenUp) != nil { turn.add(late: .considerUnwanted(self, after: nil)) }
    if flags.contains(.unwantedHandler) { detached.sideFields.reason = side?.reason }
    if flags.contains(.waiting) {
      flags.remove(.waiting)
      detached.flags.insert(.waiting)
      detached.ownNode.mayHavePending = true
      parent.hold(for: detached)
      turn.release(parent.waiting.replace(node, with: detached.ownNode))
      parent.addOther(self)
    } else {
      sideFields.startsDetachedChild = true
      parent.hold(for: detached)
      parent.addOther(detached)
    }
    sideFields.detachedChild = detached
    state = .unresolved
  }
}
