// Who wants a promise: its demand. A pending promise counts its consumers: observers that say so (adopters,
// combinators, readers), children with a handler for the value, and other children while they have consumers
// themselves. A withdrawal marks a promise as unwanted: `Side.reason` says why. The mark stays, and takes
// effect when no consumer is left.
//
// The way up stays in one tree. Called with the lock held.

extension Promise {
  /// Whether this child is a consumer of its parent, if that is pending.
  @inline(__always)
  var wantsParent: Bool { mayWantParent && (consumers > 0 || isConsumer) }

  /// Whether this child waits for its parent, and has not been given up.
  @inline(__always)
  private var mayWantParent: Bool { flags.intersection([.waiting, .givenUp]) == .waiting }

  /// Whether this child wants its parent's value, with or without consumers of its own.
  @inline(__always)
  private var isConsumer: Bool { kind.isConsumer }

  /// Why this promise is unwanted, if it is pending and a consumer has withdrawn from it.
  private var reasonForNoDemand: (any Error)? { state.isSettled ? nil : side?.reason }

  /// Changes who wants this promise; nothing else does. The first consumer that comes and the last one that
  /// leaves count at the parent, too, unless this promise is a consumer of its parent in any case.
  ///
  /// - Parameters:
  ///   - change: 1 if a consumer comes, -1 if one leaves.
  ///   - reason: Why a consumer withdraws.
  ///   - cause: With what the consumer that leaves was cancelled, if it was.
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

  /// The first reason stays.
  private func markUnwanted(_ reason: any Error) {
    guard !state.isSettled, !kind.contains(.shield), side?.reason == nil else { return }
    sideFields.reason = reason
  }

  /// Gives up an unwanted promise without consumers: it leaves its parent's consumers and marks the parent,
  /// and so on up. The cancel begins below the first promise that has another consumer, is shielded or has
  /// settled. From then on consumers that come and leave make no difference.
  ///
  /// - Parameter child: The last promise that the former slice of a long climb has given up.
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

  /// The cancel begins here. The promise fares like a child of a cancelled one: if it has a handler for a
  /// rejection, that runs first.
  private func cancelUnwanted(_ reason: any Error, _ turn: Turn) {
    // A cancel runs its handler already.
    let isCancelling = reasonToCleanUp != nil
    if isCancelling, case .running = state { return }
    guard case .handler(let handler) = state, kind.contains(.reason) else {
      return cancelPending(reason, turn)
    }
    if isCancelling { return }
    flags.insert(.unwantedHandler)
    // If it does not wait, its job has been scheduled; if it waits below a settled parent, that schedules it.
    guard flags.contains(.waiting), let parent = heldParent, !parent.schedules(kind) else { return }
    let child = parent.takeWaiting(self)
    let context = handler.context ?? defaultContext
    if context.runsInPlace {
      turn.runInPlace(child, isSibling: false)
    } else {
      turn.add(outward: .schedule(Turn.Batch(first: child), context, of: nil, resuming: false))
    }
  }

  /// Why the rejection handler of this child runs, or is to run, if that is because of a cancel: one from
  /// above, or a withdrawal.
  var reasonToCleanUp: (any Error)? {
    if flags.contains(.unwantedHandler) { return side?.reason }
    guard let parent = heldParent, parent.flags.contains(.cancelled) else { return nil }
    return parent.state.reason
  }

  /// Whether a cancel has come, or will: no consumer wants the promise.
  var isGivenUp: Bool { state.isSettled || consumers == 0 && reasonForNoDemand != nil }

  /// An adopter was cancelled before it could follow this promise: withdraws from it.
  ///
  /// - Returns: Whether no other consumer wants it.
  @discardableResult
  func withdraw(_ reason: any Error, _ turn: Turn) -> Bool {
    lock.lock()
    changeDemand(unwanted: reason, turn)
    let isGivenUp = isGivenUp
    lock.unlock()
    return isGivenUp
  }
}
