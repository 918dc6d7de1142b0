// `settle` is the only transition into a settled phase. Called with the lock held; the caller has a hold on
// the promise.

extension Core {
  /// Settles a pending promise with a value.
  @inline(__always)
  func settle(value: consuming Any, from adoption: Adoption? = nil, _ turn: Turn) {
    leavePhase(cancelledWith: nil, from: adoption, turn)
    phase = .fulfilled
    set(value: consume value)
    didSettle(turn)
  }

  /// Rejects a pending promise.
  func settle(
    reason: any Error, byRequest isCancelled: Bool = false, from adoption: Adoption? = nil,
    hasWithdrawn: Bool = false, _ turn: Turn
  ) {
    leavePhase(cancelledWith: isCancelled ? reason : nil, from: adoption, turn)
    phase = .rejected
    set(reason: reason)
    if isCancelled { flags.insert(.cancelled) }
    #if DEBUG
      noteLandmark()
    #endif
    didSettle(hasWithdrawn: hasWithdrawn, turn)
  }

  /// Settles a pending promise.
  ///
  /// - Parameter adoption: The link to the promise that provides the outcome, if any.
  func settle(
    _ outcome: consuming Outcome, byRequest isCancelled: Bool = false, from adoption: Adoption? = nil,
    _ turn: Turn
  ) {
    switch consume outcome {
    case .fulfilled(let value): settle(value: value, from: adoption, turn)
    case .rejected(let reason): settle(reason: reason, byRequest: isCancelled, from: adoption, turn)
    }
  }

  /// Takes the payload of the former phase.
  @inline(__always)
  private func leavePhase(cancelledWith reason: (any Error)?, from adoption: Adoption?, _ turn: Turn) {
    switch phase {
    case .handler: discard(takeHandler(), reason, turn)
    case .following: stopFollowing(reason, from: adoption, turn)
    default: break
    }
  }

  /// Discards a handler that is not called. Its captures are released when the lock is free. The body of a
  /// `finally` still runs if its child was cancelled.
  private func discard(_ handler: Handler, _ reason: (any Error)?, _ turn: Turn) {
    if let reason, kind.contains(.finally) {
      let context = handler.context ?? defaultContext
      addUnfinishedWork(turn) { $0.body = context }
      hold()
      context.schedule(.body(handler, of: self, reason), turn)
    } else {
      turn.release(handler)
    }
  }

  @inline(never)
  private func stopFollowing(_ reason: (any Error)?, from adoption: Adoption?, _ turn: Turn) {
    let former = takeAdoption()
    former.followerLeaves(reason)
    if former === adoption { turn.release(former) } else { turn.add(.leave(former)) }
    // A step has no hold on itself while it follows.
    if kind.contains(.step), up != nil { hold() }
  }

  /// - Parameter hasWithdrawn: Whether this cancelled promise withdraws from others, whose clean-up is
  ///   scheduled before the handlers of this promise.
  @inline(__always)
  private func didSettle(hasWithdrawn: Bool = false, _ turn: Turn) {
    noteSettled()
    if flags.contains(.waiting) { stopWaiting(turn) }
    let parent = up
    if let parent { inheritWork(from: parent, turn) }
    if hasSide { settleSide(turn) }
    if flags.contains(.open), firstWaiting != nil { releaseHandle(turn) }
    if flags.contains(.cancelled), firstChildWithPending != nil {
      hold()
      turn.add(.cancel(self, reason))
    }
    if firstWaiting != nil { beginDispatch(hasWithdrawn: hasWithdrawn, turn) }
    guard let parent else { return }
    // A pending child has a hold on its parent, and one on itself.
    parent.drop(turn)
    drop(turn)
  }

  private func settleSide(_ turn: Turn) {
    guard let side = side else { return }
    let isCancelled = flags.contains(.cancelled)
    // The consumers include children, but a promise whose children wait is marked in any case.
    if consumers > 0 || isCancelled && side.hasWithdrawnConsumer { flags.insert(.observed) }
    if !side.observers.isEmpty {
      if side.observers.completion?.hasUnfinishedWork(isCancelled) == true {
        addUnfinishedWork(turn) { $0.awaitsCompletion = true }
      }
      var observers = ObserverList()
      swap(&observers, &side.observers)
      // The holds of the followers end, and that of the step begins.
      hold()
      dropSome(observers.followers)
      turn.add(.notify(observers, self))
    }
    releaseAbandonHooks(turn)
    var hooks: [@Sendable (any Error) -> Void] = []
    if !side.cancelHooks.isEmpty { swap(&hooks, &side.cancelHooks) }
    if hooks.isEmpty { return }
    if isCancelled { addUnfinishedHooks(hooks, reason, turn) } else { turn.release(hooks) }
  }

  /// Resolves an unresolved promise with an outcome. The first resolution wins.
  ///
  /// - Returns: Whether this resolution won.
  @inline(__always)
  @discardableResult
  func resolve(value: consuming Any, _ turn: Turn) -> Bool {
    guard phase.isUnresolved else {
      flags.remove(.awaitsResolution)
      turn.release(value)
      return false
    }
    settle(value: consume value, turn)
    return true
  }

  @discardableResult
  func resolve(reason: any Error, _ turn: Turn) -> Bool {
    guard phase.isUnresolved else {
      flags.remove(.awaitsResolution)
      turn.release(reason)
      return false
    }
    settle(reason: reason, turn)
    return true
  }

  /// Settles this child, which has no handler for the outcome, with the parent's outcome.
  func inherit(from parent: Core, _ turn: Turn) {
    switch parent.phase {
    case .fulfilled: settle(value: parent.value, turn)
    case .rejected where parent.flags.contains(.cancelled): cancelPending(parent.reason, turn)
    case .rejected: settle(reason: parent.reason, turn)
    default: break
    }
  }
}
