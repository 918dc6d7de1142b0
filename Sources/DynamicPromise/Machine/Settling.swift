// The one transition into a settled state, and what leads there without a handler. Called with the lock held.

extension Promise {
  /// Settles a pending promise.
  ///
  /// - Parameter adoption: What this promise has followed up to now, if that is where the outcome comes from.
  func settle(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, from adoption: Adoption? = nil,
    _ effects: Effects
  ) {
    var former = State(consume outcome)
    swap(&former, &state)
    if isCancelled { flags.insert(.cancelled) }
    noteSettled()
    switch former {
    case .unresolved, .running, .fulfilled, .rejected, .following(.thenable): break
    case .handler(let handler): discard(handler, isCancelled, effects)
    case .following(.promise(let node)):
      if node !== adoption { effects.add(urgent: .leave(node, isCancelled ? state.reason : nil)) }
    }
    #if DEBUG
      if state.reason != nil { noteLandmark() }
    #endif
    if flags.contains(.waiting) { stopWaiting(effects) }
    // Unless this stack has to go on there.
    if !flags.contains(.resumesParent) { releaseParent(effects) }
    if let side { settleSide(side, isCancelled, effects) }
    if flags.contains(.holdsItself) { letGoOfItself(effects) }
    if isCancelled, node?.firstChildLeadingToPending != nil, let reason = state.reason {
      effects.add(.cancelChildren(self, reason))
    }
    beginDispatch(effects)
  }

  /// The handler will not be called for its child. Its captures go as soon as the lock is free; `finally`
  /// runs all the same.
  private func discard(_ handler: Handler, _ isCancelled: Bool, _ effects: Effects) {
    if isCancelled, handler.isFinally, let reason = state.reason {
      leaveWork { $0.bodies += 1 }
      effects.add(.detached(self, handler, handler.context ?? defaultContext, reason))
    } else {
      effects.letGo(of: handler)
    }
  }

  private func settleSide(_ side: Side, _ isCancelled: Bool, _ effects: Effects) {
    if !side.observers.isEmpty, let outcome = state.outcome {
      if side.observers.completion?.leavesWork(isCancelled) == true {
        leaveWork { $0.awaitsCompletion = true }
      }
      var observers = ObserverList()
      swap(&observers, &side.observers)
      effects.add(urgent: .notify(observers, self, outcome))
    }
    if !side.abandonHooks.isEmpty {
      effects.letGo(of: side.abandonHooks)
      side.abandonHooks = []
    }
    side.end = isCancelled ? .cancelled : .settled
    var hooks: [@Sendable (any Error) -> Void] = []
    if !side.cancelHooks.isEmpty { swap(&hooks, &side.cancelHooks) }
    if isCancelled, let reason = state.reason {
      // The reason of the first withdrawal.
      if let former = side.reason { effects.letGo(of: former as Any) }
      side.reason = reason
      if !hooks.isEmpty { effects.add(.hooks(hooks, reason)) }
      if let detached = side.detachedChild.take() { effects.add(.cancel(detached, reason)) }
      return
    }
    if !hooks.isEmpty { effects.letGo(of: hooks) }
    releaseDetachedChild(effects)
  }

  /// The promise has settled: it keeps its detached child only if its own job is to start that.
  func releaseDetachedChild(_ effects: Effects) {
    guard let side, let detached = side.detachedChild else { return }
    if side.startsDetachedChild, case .handler = detached.state { return }
    side.detachedChild = nil
    effects.letGo(of: detached)
  }

  /// Resolves an unresolved promise with an outcome; nothing otherwise: the first resolution wins.
  ///
  /// - Returns: Whether it won.
  @discardableResult
  func resolve(with outcome: consuming Outcome, _ effects: Effects) -> Bool {
    guard state.isUnresolved else {
      flags.remove(.awaitsResolution)
      effects.letGo(of: outcome as Any)
      return false
    }
    settleUnresolved(consume outcome, effects)
    return true
  }

  /// Settles a promise that is resolved by hand, perhaps while its handler waits or runs, or with what its
  /// handler has returned (`afterRun`).
  func settleUnresolved(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, afterRun: Bool = false,
    _ effects: Effects
  ) {
    if !afterRun { leaveHandler() }
    displaceHandler(effects)
    passCancelFromAbove(effects)
    settle(consume outcome, byRequest: isCancelled, effects)
  }

  /// A child is resolved by hand while a cancel runs, or is to run, its handler: one from above, or a
  /// withdrawal. The cancel reaches it all the same, so what is below it is cancelled.
  func passCancelFromAbove(_ effects: Effects) {
    if let reason = reasonToCleanUp { effects.add(.cancel(self, reason)) }
  }

  /// A child that is resolved by hand while its handler waits: the handler still has to run for the parent's
  /// outcome, so it moves to a detached child in the same place. That one has no observers, and is no
  /// consumer.
  func displaceHandler(_ effects: Effects) {
    guard case .handler(let handler) = state, let parent = heldParent, let node else { return }
    if wantsParent { parent.changeDemand(by: -1, effects) }
    let detached = Promise(below: parent, handler)
    detached.kind = kind.union(.onlyWaits).subtracting(.step)
    detached.flags = flags.intersection(.unwantedHandler).union(.observed)
    kind.formIntersection(.step)
    detached.noteMade(below: parent)
    flags.remove(.givenUp)
    if flags.contains(.unwantedHandler) { detached.sideFields.reason = side?.reason }
    if flags.contains(.waiting) {
      flags.remove(.waiting)
      detached.flags.insert(.waiting)
      detached.ownNode.leadsToPending = true
      parent.hold(for: detached)
      effects.letGo(of: parent.waiting.replace(node, with: detached.ownNode))
      parent.enter(self)
    } else {
      sideFields.startsDetachedChild = true
      parent.hold(for: detached)
      parent.enter(detached)
    }
    sideFields.detachedChild = detached
    state = .unresolved
  }
}
