// Schedules the handlers of a settled promise's children, on each context in order of registration. One turn
// at a time schedules those that wait (`dispatching`), and one turn runs those in place (`runningInPlace`). A
// handler that is registered meanwhile is left to that turn: it waits, or, if it runs in place, is added to
// `Side.late`. Called with the lock held.

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
        flags.remove(.dispatching)
        flags.insert(.runningInPlace)
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
  /// dispatching ends when no child waits and all handlers were submitted, so that no later handler comes
  /// before these. Called with a hold, which it drops or passes on.
  ///
  /// - Parameter isResuming: Whether all handlers of earlier calls were submitted.
  func dispatch(isResuming: Bool = false, _ turn: Turn) {
    var hasSubmitted = !isResuming && turn.hasSubmissions
    for _ in 0..<Limits.slice {
      guard let child = firstWaiting else {
        if hasSubmitted { return turn.submit(.dispatch(self)) }
        flags.remove(.dispatching)
        let hasLate = side?.late?.handlers.isEmpty == false
        guard hasLate, flags.insert(.runningInPlace).inserted else { return drop(turn) }
        return turn.dispatchInPlace(self)
      }
      if child.flags.contains(.isLate), turn.countLate() {
        return continueOnWorker(turn) { $0.add(.dispatch(self)) }
      }
      takeWaiting(child, turn)
      // A withdrawal was climbing past this promise when it settled.
      let isGivenUp = child.flags.contains(.givenUp) && !flags.contains(.cancelled)
      if isGivenUp ? child.beginsUnwantedHandler() : child.kind.handles(phase) {
        child.hold()
        if child.runsInPlace {
          // When the first one runs, all that have waited are in the turn.
          let isFirst = flags.insert(.runningInPlace).inserted
          if isFirst { hold() }
          turn.runInPlace(child, before: isFirst ? self : nil)
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

  /// Runs the handlers in place that were registered while others ran. Called with a hold, which it drops or
  /// passes on.
  func runLate(_ turn: Turn) {
    guard let late = side?.late, !late.handlers.isEmpty else {
      flags.remove(.runningInPlace)
      return drop(turn)
    }
    for index in 0..<Limits.slice {
      guard let child = late.handlers.oldest else { break }
      if child.flags.contains(.isLate), turn.countLate() {
        if index > 0 { break }
        return continueOnWorker(turn) { $0.dispatchInPlace(self) }
      }
      _ = late.handlers.popFirst()
      // What the main thread has registered in place runs there only.
      let batch = Turn.Batch(first: child)
      child.runsInPlace ? turn.runInPlace(child) : turn.submit(.handlers(batch, child.ownContext))
    }
    turn.dispatchInPlace(self)
  }

  /// Leaves the remaining handlers to a worker. Other threads register handlers faster than this thread
  /// schedules them, and no call may schedule the handlers of other threads without bound.
  private func continueOnWorker(_ turn: Turn, _ work: @escaping @Sendable (Turn) -> Void) {
    turn.submit(.call { ContextRef.shared.execute { Turn.current.work { work(.current) } } })
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
