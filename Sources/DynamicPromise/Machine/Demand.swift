// Demand: the number of a pending promise's consumers. Consumers are some observers (adopters, combinators,
// readers), children with a handler for the value, and other children that have consumers themselves. A
// withdrawal marks a promise as unwanted, with a reason (`Side.reason`). The mark is permanent, and takes
// effect when no consumer is left.
//
// Demand propagates upward within one tree. Called with the lock held.

extension Promise {
  /// Whether this child is a consumer of its pending parent.
  @inline(__always)
  var wantsParent: Bool { mayWantParent && (consumers > 0 || isConsumer) }

  /// Whether this child waits for its parent, and has not been given up.
  @inline(__always)
  private var mayWantParent: Bool { flags.intersection([.waiting, .givenUp]) == .waiting }

  /// Whether this child is a consumer of its parent even without consumers of its own.
  @inline(__always)
  private var isConsumer: Bool { kind.isConsumer }

  /// Why this promise is marked as unwanted; `nil` if it is not marked, or has settled.
  private var reasonForNoDemand: (any Error)? { state.isSettled ? nil : side?.reason }

  /// Changes the number of consumers; no other code changes it. The first consumer makes this promise a
  /// consumer of its parent, until the last consumer is removed. A promise whose kind counts as a consumer is
  /// always a consumer of its parent.
  ///
  /// - Parameters:
  ///   - change: 1 if a consumer is added, -1 if a consumer is removed, otherwise 0.
  ///   - reason: Why a consumer withdraws.
  ///   - cause: The reason with which the removed consumer was cancelled, if it was cancelled.
  @inline(__always)
  func changeDemand(
    by change: Int32 = 0, unwanted reason: (any Error)? = nil, because cause: (any Error)? = nil,
    _ turn: Turn
  ) {
    if change > 0, consumers > 0 || isConsumer || !mayWantParent {
      consumers += change
    } else {
      propagateDemand(change, reason, cause, turn)
    }
  }

  @inline(never)
  private func propagateDemand(
    _ change: Int32, _ reason: (any Error)?, _ cause: (any Error)?, _ turn: Turn
  ) {
    if let reason { markUnwanted(reason) }
    var current = self
    while !current.state.isSettled {
      let former = current.consumers
      current.consumers = former + change
      if current.consumers == 0 {
        if change < 0, current.flags.contains(.cancelsWhenUnwanted) {
          current.markUnwanted(cause ?? CancellationError())
        }
        if current.side?.reason != nil { turn.add(late: .considerUnwanted(current, after: nil)) }
      }
      guard (former == 0) != (current.consumers == 0), current.mayWantParent, !current.isConsumer,
        let parent = current.heldParent
      else { return }
      current = parent
    }
  }

  /// Marks this promise as unwanted. A later call does not change the reason.
  private func markUnwanted(_ reason: any Error) {
    guard !state.isSettled, !kind.contains(.shield), side?.reason == nil else { return }
    sideFields.reason = reason
  }

  /// Gives up an unwanted promise without consumers: it is no longer a consumer of its parent, and the parent
  /// is marked as unwanted. The same is done for the parent, and so on. This climb ends below the first
  /// ancestor that has another consumer, is shielded or has settled. It also ends at a promise that does not
  /// wait for a parent. The cancel begins at the end of the climb. A given-up promise is not affected by
  /// later changes of its consumers.
  ///
  /// - Parameter child: The last promise that the previous slice of a long climb gave up.
  func considerUnwanted(after child: Promise?, _ turn: Turn) {
    var (current, below) = (self, child)
    for _ in 0..<Limits.slice {
      if current.flags.contains(.givenUp), !current.state.isSettled { return }
      guard current.consumers == 0, let reason = current.reasonForNoDemand else {
        if let below, let reason = below.reasonForNoDemand { below.cancelUnwanted(reason, turn) }
        return
      }
      let wantsParent = current.wantsParent
      current.flags.insert(.givenUp)
      guard current.flags.contains(.waiting), let parent = current.heldParent else {
        return current.cancelUnwanted(reason, turn)
      }
      if wantsParent { parent.changeDemand(by: -1, because: reason, turn) }
      parent.markUnwanted(reason)
      (current, below) = (parent, current)
    }
    turn.add(late: .considerUnwanted(current, after: below))
  }

  /// Cancels this given-up child of a promise that has settled without a cancel, between two slices of the
  /// climb.
  func cancelGivenUp(_ turn: Turn) {
    if let reason = reasonForNoDemand { cancelUnwanted(reason, turn) }
  }

  /// Cancels this promise as if its parent had been cancelled: a rejection handler runs before the promise is
  /// cancelled.
  private func cancelUnwanted(_ reason: any Error, _ turn: Turn) {
    flags.insert(.beginsCancel)
    // No cancel is needed if the handler already runs because of a cancel.
    let isCancelling = reasonToCleanUp != nil
    if isCancelling, case .running = state { return }
    guard case .handler(let handler) = state, kind.contains(.reason) else {
      return cancelPending(reason, turn)
    }
    if isCancelling { return }
    flags.insert(.unwantedHandler)
    // Returns if the promise no longer waits, so that its handler was scheduled, or if the settled parent
    // schedules the handler.
    guard flags.contains(.waiting), let parent = heldParent, !parent.schedules(kind) else { return }
    let child = parent.takeWaiting(self)
    let context = handler.context ?? defaultContext
    if context.runsInPlace {
      turn.runInPlace(child, isSibling: false)
    } else {
      turn.add(outward: .schedule(Turn.Batch(first: child), context, of: nil, resuming: false))
    }
  }

  /// The reason of the cancel that starts this child's rejection handler, or has started it. The cancel is
  /// that of the parent, or results from a withdrawal.
  var reasonToCleanUp: (any Error)? {
    if flags.contains(.unwantedHandler) { return side?.reason }
    guard let parent = heldParent, parent.flags.contains(.cancelled) else { return nil }
    return parent.state.reason
  }

  /// Whether this promise has settled, or will be cancelled because it is unwanted and has no consumer.
  var isGivenUp: Bool { state.isSettled || consumers == 0 && reasonForNoDemand != nil }

  /// Marks this promise as unwanted, for a consumer that is not counted, or is no longer counted.
  ///
  /// - Returns: Whether this promise has settled, or is unwanted and has no consumer.
  @discardableResult
  func withdraw(_ reason: any Error, _ turn: Turn) -> Bool {
    lock.lock()
    changeDemand(unwanted: reason, turn)
    let isGivenUp = isGivenUp
    lock.unlock()
    return isGivenUp
  }
}
