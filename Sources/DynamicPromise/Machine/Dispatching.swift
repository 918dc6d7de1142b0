// From a settled promise to the handlers of its children, in the order of their registration. One stack
// at a time does so, while `dispatching` is set; a handler that is registered meanwhile is only appended.
// Called with the lock held.

extension Promise {
  /// Enters a new child.
  func attach(_ child: Promise, _ effects: Effects) {
    flags.insert(.observed)
    guard state.isSettled else {
      wait(child)
      if child.wantsParent { changeDemand(by: 1, effects) }
      return
    }
    guard hands(child.kind) else {
      hold(for: child)
      ownNode.insert(child.ownNode)
      return child.inherit(from: self, effects)
    }
    if waiting.isEmpty, !flags.contains(.dispatching), effects.isIdle, runsInPlace(child) {
      flags.insert(.dispatching)
      hold(for: child)
      enter(child)
      child.flags.insert(.resumesParent)
      return child.start(below: self, effects)
    }
    wait(child)
    markPath()
    guard flags.contains(.dispatching) else { return beginDispatch(effects) }
    // What a handler registers that this stack runs in place is its own affair.
    if effects.thread.depth == 0 || runner != Self.shortened(effects.thread.number) {
      child.flags.insert(.isLate)
    }
  }

  /// Whether a child's handler is for the outcome of this promise.
  @inline(__always)
  private func hands(_ child: Handler.Kind) -> Bool {
    if case .fulfilled = state { child.contains(.value) } else { child.contains(.reason) }
  }

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
  func beginDispatch(_ effects: Effects) {
    guard let first = waiting.firstKind else { return }
    flags.insert(.dispatching)
    if effects.isIdle, hands(first) {
      scheduleFirst(effects)
      if !waiting.isEmpty { passOn(effects) }
    } else {
      if !waiting.hasOne { effects.add(.passOn(self, from: nil)) }
      effects.add(.dispatch(self, resuming: false))
    }
  }

  /// A handler that ran in place has returned.
  @inline(__always)
  func resumeDispatch(_ effects: Effects) {
    guard waiting.isEmpty else { return dispatchNext(resuming: true, effects) }
    flags.remove(.dispatching)
    runner = 0
  }

  /// Schedules the next handler or handlers; ends the dispatching if there is none.
  ///
  /// - Parameter isResuming: Whether a handler that ran in place has just returned: the next one comes before
  ///   what that handler has started.
  func dispatchNext(resuming isResuming: Bool = false, _ effects: Effects) {
    for _ in 0..<Limits.slice {
      guard let first = waiting.firstKind else {
        flags.remove(.dispatching)
        runner = 0
        return
      }
      if waiting.isFirstLate, effects.countLate() {
        waiting.first?.flags.remove(.isLate)
        return effects.add(outward: .dispatchElsewhere(self))
      }
      if hands(first) { return scheduleFirst(resuming: isResuming, effects) }
      let child = takeWaiting()
      child.inherit(from: self, effects)
      effects.letGo(of: child)
    }
    effects.add(.dispatch(self, resuming: isResuming))
  }

  /// Schedules the handler of the child that has waited longest.
  private func scheduleFirst(resuming isResuming: Bool = false, _ effects: Effects) {
    let child = takeWaiting()
    if runsInPlace(child) {
      child.flags.insert(.resumesParent)
      // One at a time: the next sibling begins when this one has returned. Until it is its turn, it can still
      // be cancelled.
      if effects.isIdle {
        child.start(below: self, effects)
      } else {
        effects.runInPlace(child, isSibling: isResuming)
      }
      return
    }
    let context = context(of: child)
    if effects.continuesInPlace, effects.continuation == nil, waiting.isEmpty, context.isShared {
      flags.remove(.dispatching)
      if effects.isIdle { child.start(below: self, effects) } else { effects.continuation = child }
    } else {
      // No later handler may get to the context first: only then is the dispatching over.
      let batch = batch(after: child, on: context, effects)
      effects.add(outward: .schedule(batch, context, of: self, resuming: isResuming))
    }
  }

  /// A child, and those right behind it that go to the same context and can share a submission.
  private func batch(after child: Promise, on context: ContextRef, _ effects: Effects) -> Effects.Batch {
    var batch = Effects.Batch(first: child)
    guard context.takesBatches else { return batch }
    // The last one may continue in place.
    let leavesLast = effects.continuesInPlace && effects.continuation == nil && context.isShared
    while batch.rest.count < Limits.slice, let child = waiting.first, hands(child.kind),
      self.context(of: child).isSame(as: context),
      !(leavesLast && waiting.hasOne)
    {
      batch.rest.append(takeWaiting())
    }
    return batch
  }

  /// Settles the waiting children that have no handler for the outcome.
  func passOn(from first: Promise? = nil, _ effects: Effects) {
    // If that one has left the list, from the beginning.
    var next = waiting.node(of: first)
    for _ in 0..<Limits.slice {
      guard let node = next else { return }
      next = node.next
      if !hands(node.held.kind) { node.held.inherit(from: self, effects) }
    }
    if let next { effects.add(.passOn(self, from: next.held)) }
  }

  /// A child without a handler for its parent's outcome settles the same way.
  private func inherit(from parent: Promise, _ effects: Effects) {
    guard let outcome = parent.state.outcome else { return }
    if let reason = outcome.reason, parent.flags.contains(.cancelled) {
      return cancelPending(reason, effects)
    }
    settle(outcome, effects)
  }
}
