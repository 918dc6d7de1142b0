// Schedules the handlers of a settled promise's children, on each context in order of registration. Only one
// stack at a time schedules them, while `dispatching` is set. A handler that is registered meanwhile is
// appended, unless only handlers in place are left (`inPlaceOnly`). Called with the lock held.

extension Core {
  /// Begins to schedule handlers, if a child waits. The handler of an only child is scheduled at once if no
  /// step waits in the turn.
  ///
  /// - Parameter hasWithdrawn: Whether the handlers wait for the clean-up that this promise has caused.
  @inline(__always)
  func beginDispatch(hasWithdrawn: Bool = false, _ turn: Turn) {
    guard let first = firstWaiting else { return }
    flags.formUnion([.dispatching, .observed])
    if hasWithdrawn {
      hold()
      turn.addWithdrawn(self)
    } else if first.next == nil, turn.isIdle, first.kind.handles(phase), !first.flags.contains(.givenUp) {
      takeWaiting(first, turn)
      first.hold()
      if first.runsInPlace {
        flags.insert(.inPlaceOnly)
        hold()
        turn.runInPlace(first, before: self)
      } else if submit(first, turn) {
        hold()
        turn.submit(.dispatch(self))
      } else {
        flags.subtract(.dispatching)
      }
    } else {
      hold()
      turn.add(.dispatch(self))
    }
  }

  /// Schedules the waiting handlers, and settles the children that have no handler for the outcome. The
  /// dispatching ends when no child waits and all handlers were submitted, or have run in place, so that no
  /// later handler comes before these. Called with a hold, which it drops or passes on.
  ///
  /// - Parameter isResuming: Whether all handlers of earlier calls were submitted.
  func dispatch(isResuming: Bool = false, _ turn: Turn) {
    var hasSubmitted = !isResuming && turn.hasSubmissions
    flags.remove(.inPlaceOnly)
    for _ in 0..<Limits.slice {
      guard let child = firstWaiting else {
        if hasSubmitted { return turn.submit(.dispatch(self)) }
        if flags.remove(.hasInPlace) != nil {
          flags.insert(.inPlaceOnly)
          return turn.dispatchInPlace(self)
        }
        flags.remove(.dispatching)
        return drop(turn)
      }
      if child.flags.contains(.isLate), turn.countLate() {
        // Handlers in place that were registered earlier come first.
        if flags.remove(.hasInPlace) != nil { return turn.dispatchInPlace(self) }
        return turn.submit(.call { [self] in ContextRef.shared.execute { dispatchOnWorker() } })
      }
      takeWaiting(child, turn)
      // A withdrawal was climbing past this promise when it settled.
      let isGivenUp = child.flags.contains(.givenUp) && !flags.contains(.cancelled)
      if isGivenUp ? child.beginsUnwantedHandler() : child.kind.handles(phase) {
        child.hold()
        if child.runsInPlace {
          turn.runInPlace(child)
          flags.insert(.hasInPlace)
        } else if submit(child, turn) {
          hasSubmitted = true
        }
      } else {
        child.hold()
        if isGivenUp { child.cancelUnwanted(turn) } else { child.inherit(from: self, turn) }
        child.drop(turn)
      }
    }
    turn.add(.dispatch(self))
  }

  /// Schedules the remaining handlers. Other threads register handlers faster than the former thread
  /// schedules them, and no call may submit the handlers of other threads without bound.
  private func dispatchOnWorker() {
    let turn = Turn.current
    turn.add(.dispatch(self))
    turn.drain()
  }

  /// Schedules the handler of a child that no longer waits, and does not run in place.
  ///
  /// - Returns: Whether the handler waits for its context. If not, it continues on this worker.
  @inline(never)
  func submit(_ child: Core, _ turn: Turn) -> Bool {
    if child.kind.contains(.onlyWaits) {
      turn.submit(.call { child.runHandler(.current) })
      return true
    }
    let context = child.ownContext
    if turn.takesContinuation, firstWaiting == nil, context.isShared {
      turn.continueInPlace(with: child)
      return false
    }
    turn.submit(.handlers(batch(after: child, on: context, turn), context))
    return true
  }

  /// A child, and the children right behind it that can share a submission to its context.
  private func batch(after child: Core, on context: ContextRef, _ turn: Turn) -> Turn.Batch {
    var batch = Turn.Batch(first: child)
    // The last child may continue on this worker.
    let leavesLast = turn.takesContinuation && context.isShared
    while batch.rest.count < Limits.slice, let next = firstWaiting, next.kind.handles(phase),
      next.flags.isDisjoint(with: [.givenUp, .isLate]), next.ownContext.isSame(as: context),
      !(leavesLast && next.next == nil)
    {
      takeWaiting(next, turn)
      next.hold()
      batch.rest.append(next)
    }
    return batch
  }

  /// Whether this child's handler runs on this stack, after the handler that runs there. A `delay` has no
  /// code of a user, and starts at once. Retains no context if the handler has no context of its own.
  @inline(__always)
  var runsInPlace: Bool {
    guard kind.contains(.ownContext) else { return defaultContext.runsInPlace }
    return !kind.contains(.onlyWaits) && ownContext.runsInPlace
  }
}
