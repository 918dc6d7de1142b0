// Demand: the number of a pending promise's consumers. Consumers are some observers (followers, combinators,
// readers), children with a handler for the value, and other children that have consumers themselves. A
// withdrawal marks a promise as unwanted, with a reason (`Side.reason`). The mark is permanent, and takes
// effect when no consumer is left.
//
// Demand propagates upward within one tree. Called with the lock held.

extension Core {
  /// Whether this child is a consumer of its pending parent.
  @inline(__always)
  var wantsParent: Bool { mayWantParent && (consumers > 0 || kind.isConsumer) }

  /// Whether this child waits for its parent, and has not been given up.
  @inline(__always)
  private var mayWantParent: Bool { flags.intersection([.waiting, .givenUp]) == .waiting }

  /// Why this promise is marked as unwanted; `nil` if it is not marked, or has settled.
  private var reasonForNoDemand: (any Error)? { isSettled ? nil : side?.reason }

  /// Changes the number of consumers; no other code changes it. The first consumer makes this promise a
  /// consumer of its parent, until the last consumer is removed. A promise whose kind counts as a consumer is
  /// a consumer of its parent until it is given up.
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
    if change > 0, consumers > 0 || kind.isConsumer || !mayWantParent {
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
    while !current.isSettled {
      let former = current.consumers
      current.consumers = former + change
      if current.consumers == 0 {
        if change < 0, current.flags.contains(.cancelsWhenUnwanted) {
          current.markUnwanted(cause ?? CancellationError())
        }
        if current.side?.reason != nil { turn.considerLater(current) }
      }
      guard (former == 0) != (current.consumers == 0), current.mayWantParent, !current.kind.isConsumer,
        let parent = current.heldParent
      else { return }
      current = parent
    }
  }

  /// Marks this promise as unwanted. A later call does not change the reason.
  private func markUnwanted(_ reason: any Error) {
    guard !isSettled, !kind.contains(.shield), side?.reason == nil else { return }
    sideFields.reason = reason
  }

  /// Gives up an unwanted promise without consumers: it is no longer a consumer of its parent, and the parent
  /// is marked as unwanted. The same is done for the parent, and so on. This climb ends below the first
  /// ancestor that has another consumer, is shielded or has settled. It also ends at a promise that does not
  /// wait for a parent. The cancel begins at the end of the climb. A given-up promise is not affected by
  /// later changes of its consumers.
  ///
  /// - Parameter child: The last promise that the previous slice of a long climb gave up. The turn had a hold
  ///   on both promises.
  func considerUnwanted(after child: Core?, _ turn: Turn) {
    climb(after: child, turn)
    child?.drop(turn)
    drop(turn)
  }

  private func climb(after child: Core?, _ turn: Turn) {
    var (current, below) = (self, child)
    for _ in 0..<Limits.slice {
      if current.flags.contains(.givenUp), !current.isSettled { return }
      guard current.consumers == 0, current.reasonForNoDemand != nil else {
        if let below, !below.isSettled { below.cancelUnwanted(turn) }
        return
      }
      let wantsParent = current.wantsParent
      current.flags.insert(.givenUp)
      guard current.flags.contains(.waiting), let parent = current.heldParent,
        let reason = current.side?.reason
      else { return current.cancelUnwanted(turn) }
      if wantsParent { parent.changeDemand(by: -1, because: reason, turn) }
      parent.markUnwanted(reason)
      (current, below) = (parent, current)
    }
    turn.considerLater(current, after: below)
  }

  /// Cancels this given-up promise as if its parent had been cancelled: a rejection handler runs before the
  /// promise is cancelled.
  func cancelUnwanted(_ turn: Turn) {
    guard let reason = reasonForNoDemand else { return }
    flags.insert(.beginsCancel)
    // No cancel is needed if the handler already runs because of a cancel.
    if phase == .running, reasonToCleanUp != nil { return }
    guard beginsUnwantedHandler() else {
      hold()
      cancelPending(reason, turn)
      return drop(turn)
    }
    // Otherwise the handler was scheduled before, or the settled parent schedules it.
    guard flags.contains(.waiting), let parent = heldParent, !parent.isSettled else { return }
    hold()
    parent.takeWaiting(self, turn)
    let context = ownContext
    if context.runsInPlace {
      turn.runInPlace(self)
    } else {
      turn.submit(.handlers(Turn.Batch(first: self), context))
    }
  }

  /// Whether a rejection handler runs before this given-up promise is cancelled.
  func beginsUnwantedHandler() -> Bool {
    guard phase == .handler, kind.contains(.reason) else { return false }
    if reasonToCleanUp == nil { flags.formUnion([.unwantedHandler, .beginsCancel]) }
    return true
  }

  /// The reason of the cancel that starts this child's rejection handler, or has started it. The cancel is
  /// that of the parent, or results from a withdrawal.
  var reasonToCleanUp: (any Error)? {
    if flags.contains(.unwantedHandler) { return side?.reason }
    guard let parent = heldParent, parent.flags.contains(.cancelled) else { return nil }
    return parent.reasonIfRejected
  }

  /// Whether this promise has settled, was given up, or will be because it is unwanted without a consumer.
  var isUnneeded: Bool { isSettled || flags.contains(.givenUp) || consumers == 0 && reasonForNoDemand != nil }

  /// Marks this promise as unwanted, for a consumer that is not counted, or is no longer counted. Called with
  /// nothing locked.
  ///
  /// - Returns: Whether this promise has settled, or is unwanted and has no consumer.
  @discardableResult
  func withdraw(_ reason: any Error, _ turn: Turn) -> Bool {
    lock.with {
      changeDemand(unwanted: reason, turn)
      return isUnneeded
    }
  }
}
