// Who wants a promise. The consumers of a pending promise are counted: observers that say so (adopters,
// combinators, readers), children with a handler for the value, and other children while they have consumers
// themselves. A withdrawal marks a promise as unwanted, and the mark stays: it takes effect when there is no
// consumer left, at once or later.
//
// The way up stays in one tree. Called with the lock held.

extension Promise {
  /// This child, which waits for a pending parent, is a consumer of it from now on.
  func count(at parent: Promise) {
    flags.insert(.counted)
    parent.gainConsumer()
  }

  /// This promise has one more consumer. If it is the first, its parent has one more, too.
  @inline(__always)
  func gainConsumer() {
    consumers += 1
    if consumers == 1, flags.isDisjoint(with: .counted), flags.contains(.waiting) { gainedFirstConsumer() }
  }

  private func gainedFirstConsumer() {
    var current = self
    while current.consumers == 1, !current.flags.contains(.counted), current.flags.contains(.waiting),
      let parent = current.heldParent, !parent.state.isSettled
    {
      current.flags.insert(.counted)
      parent.consumers += 1
      current = parent
    }
  }

  /// This promise has one consumer less.
  ///
  /// - Parameter reason: With what it was cancelled, if that is why.
  func loseConsumer(because reason: (any Error)? = nil, _ effects: Effects) {
    var current = self
    while true {
      current.consumers -= 1
      guard current.consumers == 0, !current.state.isSettled else { return }
      if current.flags.contains(.cancelsWhenUnwanted) {
        current.markUnwanted(reason ?? CancellationError(), effects)
      } else if current.flags.contains(.unwanted) {
        effects.add(late: .considerUnwanted(current, after: nil))
      }
      guard current.flags.contains(.counted), !current.flags.contains(.isConsumer),
        let parent = current.heldParent
      else { return }
      current.flags.remove(.counted)
      current = parent
    }
  }

  /// This child leaves its parent's consumers.
  @inline(__always)
  func uncount(_ effects: Effects) {
    if flags.contains(.counted) { stopCounting(effects) }
  }

  private func stopCounting(_ effects: Effects) {
    guard flags.contains(.counted), let parent = heldParent else { return }
    flags.remove(.counted)
    parent.loseConsumer(because: flags.contains(.cancelled) ? state.outcome?.reason : nil, effects)
  }

  /// Somebody who followed this promise was cancelled. The first reason stays.
  func markUnwanted(_ reason: any Error, _ effects: Effects) {
    guard !state.isSettled, !flags.contains(.shielded) else { return }
    if !flags.contains(.unwanted) {
      flags.insert(.unwanted)
      sideFields.reason = reason
    }
    effects.add(late: .considerUnwanted(self, after: nil))
  }

  /// If this promise has no consumer left, it is none of its parent's either: marks the parent as unwanted,
  /// and so on up. Where the parent has other consumers, or is not pending, the cancel begins. From then on
  /// it is on its way, perhaps behind an error handler, and consumers that come and leave meanwhile make no
  /// difference.
  ///
  /// - Parameter child: Where the last slice of a long climb has ended.
  func considerUnwanted(after child: Promise?, _ effects: Effects) {
    if let child, consumers > 0 || state.isSettled, !flags.contains(.givenUp), let reason = child.side?.reason
    {
      // A consumer came, or the outcome, between two slices.
      if !child.state.isSettled { child.cancelUnwanted(reason, effects) }
      return
    }
    var current = self
    var below: Promise?
    for _ in 0..<Limits.slice {
      guard current.flags.intersection([.unwanted, .givenUp]) == .unwanted, current.consumers == 0,
        !current.state.isSettled, let reason = current.side?.reason
      else { return }
      current.flags.insert(.givenUp)
      guard current.flags.contains(.waiting), let parent = current.heldParent, !parent.state.isSettled,
        !parent.flags.contains(.shielded)
      else { return current.cancelUnwanted(reason, effects) }
      if !parent.flags.contains(.unwanted) {
        parent.flags.insert(.unwanted)
        parent.sideFields.reason = reason
      }
      if current.flags.contains(.counted) {
        current.flags.remove(.counted)
        parent.consumers -= 1
      }
      if parent.consumers > 0 { return current.cancelUnwanted(reason, effects) }
      below = current
      current = parent
    }
    effects.add(late: .considerUnwanted(current, after: below))
  }

  /// The cancel begins here. The promise fares like a child of a cancelled one: if it has a handler for a
  /// rejection, that runs first.
  private func cancelUnwanted(_ reason: any Error, _ effects: Effects) {
    // A cancel runs its handler already.
    let isCancelling = flags.contains(.unwantedHandler) || heldParent?.flags.contains(.cancelled) ?? false
    if isCancelling, case .running = state { return }
    guard case .handler(let handler) = state, handler.kind.contains(.reason) else {
      return settle(.rejected(reason), byRequest: true, effects)
    }
    if isCancelling { return }
    flags.insert(.unwantedHandler)
    // If it does not wait, its job has been scheduled.
    guard flags.contains(.waiting), let parent = heldParent, let node else { return }
    let child = parent.waiting.remove(node)
    flags.remove(.waiting)
    parent.enter(self)
    effects.add(outward: .schedule(Effects.Batch(first: child), handler.context ?? defaultContext, of: nil))
  }
}

extension Promise {
  /// An adopter was cancelled before it could follow this promise: withdraws from it.
  func withdraw(_ reason: any Error, _ effects: Effects) {
    lock.lock()
    flags.insert(.observed)
    markUnwanted(reason, effects)
    lock.unlock()
  }
}
