// From a settled promise to the handlers of its children, in the order of their registration (A4). One stack
// at a time does so, while `dispatching` is set; whoever registers meanwhile only appends. Called with the
// lock held.

extension Promise {
  /// How many children one critical section takes care of.
  private static let slice = 64

  /// Enters a new child.
  func attach(_ child: Promise, _ effects: inout Effects) {
    flags.insert(.observed)
    guard state.isSettled else {
      wait(child)
      if child.flags.contains(.isConsumer) { child.count(at: self) }
      return
    }
    if waiting.isEmpty, !flags.contains(.dispatching), effects.isIdle, hands(child),
      context(of: child).runsInPlace
    {
      flags.insert(.dispatching)
      hold(for: child)
      enter(child)
      child.flags.insert(.resumesParent)
      return child.start(&effects)
    }
    wait(child)
    if flags.contains(.dispatching), CurrentThread.current.depth == 0 { child.flags.insert(.isLate) }
    if !flags.contains(.dispatching) { beginDispatch(&effects) }
  }

  /// Whether a child's handler is for the outcome of this promise.
  @inline(__always)
  private func hands(_ child: Promise) -> Bool {
    if case .fulfilled = state {
      child.flags.contains(.handlesValue)
    } else {
      child.flags.contains(.handlesReason)
    }
  }

  /// Where a child's handler is to run.
  @inline(__always)
  private func context(of child: Promise) -> ContextRef {
    if child.flags.contains(.hasOwnContext), case .handler(let handler) = child.state,
      let own = handler.context
    {
      return own
    }
    return defaultContext
  }

  /// Begins to schedule, if a child waits. A handler that is to run in place, or to continue on this stack,
  /// is taken at once.
  @inline(__always)
  func beginDispatch(_ effects: inout Effects) {
    guard let first = waiting.first else { return }
    flags.insert(.dispatching)
    if effects.isIdle, hands(first) {
      let context = context(of: first)
      if context.runsInPlace {
        _ = takeWaiting()
        first.flags.insert(.resumesParent)
        return first.start(&effects)
      }
      if effects.continuesInPlace, effects.continuation == nil, waiting.hasOne, context.isShared {
        effects.continuation = takeWaiting()
        flags.remove(.dispatching)
        return
      }
      return schedule(first, on: context, false, &effects)
    }
    effects.add(.dispatch(self))
  }

  /// Schedules the next handler or handlers; ends the dispatching if there is none.
  ///
  /// - Parameter isResuming: Whether a handler that ran in place has just returned: the next one comes before
  ///   what that handler has started.
  func dispatchNext(resuming isResuming: Bool = false, _ effects: inout Effects) {
    for _ in 0..<Self.slice {
      guard let child = waiting.first else {
        flags.remove(.dispatching)
        return
      }
      if child.flags.contains(.isLate) { effects.countLate() }
      guard hands(child) else {
        effects.letGo(of: takeWaiting())
        child.inherit(from: self, &effects)
        continue
      }
      return schedule(child, on: context(of: child), isResuming, &effects)
    }
    effects.add(.dispatch(self))
  }

  private func schedule(
    _ child: Promise, on context: ContextRef, _ isResuming: Bool, _ effects: inout Effects
  ) {
    if context.runsInPlace {
      _ = takeWaiting()
      child.flags.insert(.resumesParent)
      return effects.runInPlace(child, isSibling: isResuming)
    }
    if effects.continuesInPlace, effects.continuation == nil, waiting.hasOne, context.isShared {
      effects.continuation = takeWaiting()
      flags.remove(.dispatching)
      return
    }
    // No later handler may get to the context first: only then is the dispatching over.
    effects.add(outward: .schedule(takeBatch(on: context, effects), context, of: self))
  }

  /// The next child, and those right behind it that go to the same context and can share a submission.
  private func takeBatch(on context: ContextRef, _ effects: Effects) -> Effects.Batch {
    var batch = Effects.Batch(first: takeWaiting())
    guard context.takesBatches else { return batch }
    // The last one may continue in place.
    let leavesLast = effects.continuesInPlace && effects.continuation == nil && context.isShared
    while batch.rest.count < Self.slice, let child = waiting.first, hands(child),
      self.context(of: child).isSame(as: context),
      !(leavesLast && waiting.hasOne)
    {
      batch.rest.append(takeWaiting())
    }
    return batch
  }

  /// A child without a handler for its parent's outcome settles the same way.
  private func inherit(from parent: Promise, _ effects: inout Effects) {
    guard let outcome = parent.state.outcome else { return }
    settle(outcome, byRequest: parent.flags.contains(.cancelled), &effects)
  }
}
