// From a settled promise to the handlers of its children, in the order of their registration. One stack
// at a time does so, while `dispatching` is set; a handler that is registered meanwhile is only appended.
// Called with the lock held.

extension Promise {
  /// Enters a new child.
  func attach(_ child: Promise, _ turn: Turn) {
    flags.insert(.observed)
    guard state.isSettled else {
      wait(child)
      if child.wantsParent { changeDemand(by: 1, turn) }
      return
    }
    guard isHandled(by: child.kind) else {
      hold(for: child)
      ownNode.insert(child.ownNode)
      return child.inherit(from: self, turn)
    }
    wait(child)
    markPath()
    guard flags.contains(.dispatching) else { return beginDispatch(turn) }
    // What a handler registers that this stack runs in place is its own affair.
    if !turn.isNested || runner != Self.shortened(turn.thread.number) {
      child.flags.insert(.isLate)
    }
  }

  /// Whether a child's handler is for the outcome of this promise.
  @inline(__always)
  private func isHandled(by child: Handler.Kind) -> Bool {
    if case .fulfilled = state { child.contains(.value) } else { child.contains(.reason) }
  }

  /// Whether it has settled, and schedules a child's handler.
  func schedules(_ child: Handler.Kind) -> Bool { state.isSettled && isHandled(by: child) }

  /// Where a child's handler is to run.
  @inline(__always)
  private func context(of child: Promise) -> ContextRef {
    child.kind.contains(.ownContext) ? child.state.handlersContext ?? defaultContext : defaultContext
  }

  /// Whether a child's handler is to run on this stack. (Without a reference to the context: few name one of
  /// their own.)
  @inline(__always)
  private func runsInPlace(_ child: Promise) -> Bool {
    child.kind.contains(.ownContext) ? context(of: child).runsInPlace : defaultContext.runsInPlace
  }

  /// Begins to schedule, if a child waits. A handler that is to run in place, or to continue on this stack,
  /// is taken at once. Children without a handler for the outcome settle before any handler runs.
  @inline(__always)
  func beginDispatch(_ turn: Turn) {
    guard let first = waiting.firstKind else { return }
    flags.insert(.dispatching)
    if !waiting.hasOne { turn.add(.passOn(self, from: nil)) }
    // Before steps that wait, nothing is scheduled: clean-up of what this promise has followed comes first.
    if turn.isIdle, isHandled(by: first) { return schedule(takeWaiting(), turn) }
    if waiting.hasOne, !isHandled(by: first) {
      // No handler is scheduled; the child settles.
      turn.add(.dispatch(self, resuming: false))
    } else {
      turn.add(dispatch: self)
    }
  }

  /// A handler that ran in place has returned.
  @inline(__always)
  func resumeDispatch(_ turn: Turn) {
    guard waiting.isEmpty else { return dispatchNext(resuming: true, turn) }
    flags.remove(.dispatching)
    runner = 0
  }

  /// Schedules the next handler or handlers; ends the dispatching if there is none.
  ///
  /// - Parameter isResuming: Whether a handler that ran in place has just returned: the next one comes before
  ///   what that handler has started.
  func dispatchNext(resuming isResuming: Bool = false, _ turn: Turn) {
    for _ in 0..<Limits.slice {
      guard let first = waiting.firstKind else {
        flags.remove(.dispatching)
        runner = 0
        return
      }
      if waiting.isFirstLate, turn.countLate() {
        waiting.first?.flags.remove(.isLate)
        return turn.add(outward: .wake { [self] in dispatchElsewhere() })
      }
      if isHandled(by: first) { return schedule(takeWaiting(), resuming: isResuming, turn) }
      let child = takeWaiting()
      child.inherit(from: self, turn)
      turn.release(child)
    }
    turn.add(.dispatch(self, resuming: isResuming))
  }

  /// Other threads register handlers faster than this one schedules them: a worker schedules the rest, so
  /// that no call schedules handlers of others without bound.
  private func dispatchElsewhere() {
    DefaultContext.queue.async { [self] in
      let turn = Turn.current
      turn.add(.dispatch(self, resuming: false))
      turn.drain()
    }
  }

  /// Schedules the handler of a child that does not wait any longer.
  private func schedule(_ child: Promise, resuming isResuming: Bool = false, _ turn: Turn) {
    if runsInPlace(child) {
      child.flags.insert(.resumesParent)
      // One at a time: the next sibling begins when this one has returned.
      return turn.runInPlace(child, isSibling: isResuming)
    }
    let context = context(of: child)
    if turn.takesContinuation, waiting.isEmpty, context.isShared {
      flags.remove(.dispatching)
      turn.continueInPlace(with: child)
    } else {
      // No later handler may get to the context first: only then is the dispatching over.
      let batch = batch(after: child, on: context, turn)
      turn.add(outward: .schedule(batch, context, of: self, resuming: isResuming))
    }
  }

  /// A child, and those right behind it that go to the same context and can share a submission.
  private func batch(after child: Promise, on context: ContextRef, _ turn: Turn) -> Turn.Batch {
    var batch = Turn.Batch(first: child)
    guard context.takesBatches else { return batch }
    // The last one may continue in place.
    let leavesLast = turn.takesContinuation && context.isShared
    while batch.rest.count < Limits.slice, let child = waiting.first, isHandled(by: child.kind),
      self.context(of: child).isSame(as: context),
      !(leavesLast && waiting.hasOne)
    {
      batch.rest.append(takeWaiting())
    }
    return batch
  }

  /// Settles the waiting children that have no handler for the outcome.
  func passOn(from first: Promise? = nil, _ turn: Turn) {
    // If that one has left the list, from the beginning.
    var next = waiting.node(of: first)
    for _ in 0..<Limits.slice {
      guard let node = next else { return }
      next = node.next
      if !isHandled(by: node.held.kind) { node.held.inherit(from: self, turn) }
    }
    if let next { turn.add(.passOn(self, from: next.held)) }
  }

  /// A child without a handler for its parent's outcome settles the same way.
  private func inherit(from parent: Promise, _ turn: Turn) {
    guard let outcome = parent.state.outcome else { return }
    if let reason = outcome.reason, parent.flags.contains(.cancelled) {
      return cancelPending(reason, turn)
    }
    settle(outcome, turn)
  }
}
