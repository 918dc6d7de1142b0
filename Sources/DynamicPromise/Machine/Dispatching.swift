// Schedules the handlers of a settled promise's children, in order of registration. Only one stack at a time
// schedules them, while `dispatching` is set. A handler that is registered meanwhile is only appended. Called
// with the lock held.

extension Promise {
  /// Adds a new child.
  func attach(_ child: Promise, _ turn: Turn) {
    guard state.isSettled else {
      wait(child)
      if child.wantsParent { changeDemand(by: 1, turn) }
      return
    }
    flags.insert(.observed)
    guard isHandled(by: child.kind) else {
      hold(for: child)
      ownNode.insert(child.ownNode)
      return child.inherit(from: self, turn)
    }
    wait(child)
    markPath()
    guard flags.contains(.dispatching) else { return beginDispatch(turn) }
    // Handlers that a handler in place registers on this stack are not late.
    if !turn.isNested || runner != Self.shortened(turn.thread.number) {
      child.flags.insert(.isLate)
    }
  }

  /// Whether a child has a handler for this promise's outcome.
  @inline(__always)
  private func isHandled(by child: Handler.Kind) -> Bool {
    if case .fulfilled = state { child.contains(.value) } else { child.contains(.reason) }
  }

  /// Whether this promise has settled and schedules the child's handler.
  func schedules(_ child: Handler.Kind) -> Bool { state.isSettled && isHandled(by: child) }

  /// The context of a child's handler.
  @inline(__always)
  private func context(of child: Promise) -> ContextRef {
    child.kind.contains(.ownContext) ? child.state.handlersContext ?? defaultContext : defaultContext
  }

  /// Whether a child's handler runs on this stack. Retains no context if the handler has no context of its
  /// own, which is the usual case.
  @inline(__always)
  private func runsInPlace(_ child: Promise) -> Bool {
    child.kind.contains(.ownContext) ? context(of: child).runsInPlace : defaultContext.runsInPlace
  }

  /// Begins to schedule handlers, if a child waits. The handler of an only child is scheduled at once if no
  /// step waits in the turn. Of several children, those without a handler for the outcome settle before any
  /// handler runs.
  @inline(__always)
  func beginDispatch(_ turn: Turn) {
    guard let first = waiting.firstKind else { return }
    flags.formUnion([.dispatching, .observed])
    if !waiting.hasOne || mayHaveGivenUpChild { turn.add(.passOn(self, from: nil)) }
    // Steps that wait in the turn are performed before the handler, because they may schedule the clean-up of
    // a promise that this promise has followed.
    if turn.isIdle, isHandled(by: first) { return schedule(takeWaiting(), turn) }
    if waiting.hasOne, !isHandled(by: first) {
      // No group delays the only child, because it has no handler to schedule.
      turn.add(.dispatch(self, resuming: false))
    } else {
      turn.add(dispatch: self)
    }
  }

  /// Whether this promise has settled while a withdrawal was climbing past it.
  @inline(__always)
  private var mayHaveGivenUpChild: Bool { side?.reason != nil && !flags.contains(.cancelled) }

  /// Continues the dispatching after a handler in place has returned.
  @inline(__always)
  func resumeDispatch(_ turn: Turn) {
    guard waiting.isEmpty else { return dispatchNext(resuming: true, turn) }
    flags.remove(.dispatching)
    runner = 0
  }

  /// Schedules the next handler, or a batch of handlers. Ends the dispatching if no child waits.
  ///
  /// - Parameter isResuming: Whether a handler in place has just returned. If so, the next handler in place
  ///   runs before the handlers in place that the returned handler has caused.
  func dispatchNext(resuming isResuming: Bool = false, _ turn: Turn) {
    for _ in 0..<Limits.slice {
      guard let first = waiting.firstKind else {
        flags.remove(.dispatching)
        runner = 0
        return
      }
      if waiting.isFirstLate, turn.countLate() {
        return turn.add(outward: .wake { [self] in dispatchElsewhere() })
      }
      if isHandled(by: first) { return schedule(takeWaiting(), resuming: isResuming, turn) }
      let child = takeWaiting()
      child.inherit(from: self, turn)
      turn.release(child)
    }
    turn.add(.dispatch(self, resuming: isResuming))
  }

  /// Lets a worker schedule the remaining handlers. Other threads register handlers faster than this thread
  /// schedules them, and no call may schedule the handlers of other threads without bound.
  private func dispatchElsewhere() {
    DefaultContext.queue.async { [self] in
      let turn = Turn.current
      turn.add(.dispatch(self, resuming: false))
      turn.drain()
    }
  }

  // A function of its own: Thread Sanitizer takes a write through a consumed reference for one to the whole
  // object, and reports a race with a cast of the object elsewhere.
  private static func noteInPlace(_ child: Promise) { child.flags.insert(.resumesParent) }

  /// Schedules the handler of a child that no longer waits.
  private func schedule(_ child: consuming Promise, resuming isResuming: Bool = false, _ turn: Turn) {
    if runsInPlace(child) {
      Self.noteInPlace(child)
      // The next sibling is dispatched when this handler has returned.
      return turn.runInPlace(consume child, isSibling: isResuming)
    }
    let context = context(of: child)
    if turn.takesContinuation, waiting.isEmpty, context.isShared {
      flags.remove(.dispatching)
      turn.continueInPlace(with: consume child)
    } else {
      // The dispatching ends after this submission, so that the context receives no later handler before this
      // batch.
      let batch = batch(after: consume child, on: context, turn)
      turn.add(outward: .schedule(batch, context, of: self, resuming: isResuming))
    }
  }

  /// A child, and the children right behind it that can share a submission to its context.
  private func batch(after child: consuming Promise, on context: ContextRef, _ turn: Turn) -> Turn.Batch {
    var batch = Turn.Batch(first: consume child)
    // The last child may continue on this worker.
    let leavesLast = turn.takesContinuation && context.isShared
    while batch.rest.count < Limits.slice, let child = waiting.first, isHandled(by: child.kind),
      self.context(of: child).isSame(as: context),
      !(leavesLast && waiting.hasOne)
    {
      batch.rest.append(takeWaiting())
    }
    return batch
  }

  /// Settles the waiting children that have no handler for the outcome, and cancels those that were given up.
  func passOn(from first: Promise? = nil, _ turn: Turn) {
    // The loop begins at the start of the list if `first` is no longer in it.
    var next = waiting.node(of: first)
    for _ in 0..<Limits.slice {
      guard let node = next else { return }
      next = node.next
      let child = node.held
      if mayHaveGivenUpChild, child.flags.contains(.givenUp) {
        child.cancelGivenUp(turn)
      } else if !isHandled(by: child.kind) {
        child.inherit(from: self, turn)
      }
    }
    if let next { turn.add(.passOn(self, from: next.held)) }
  }

  /// Settles this child, which has no handler for the outcome, with the parent's outcome.
  private func inherit(from parent: Promise, _ turn: Turn) {
    guard let outcome = parent.state.outcome else { return }
    if let reason = outcome.reason, parent.flags.contains(.cancelled) {
      return cancelPending(reason, turn)
    }
    settle(outcome, turn)
  }
}
