// From a settled promise to its continuations: the order of hand-over (A4).

extension Promise {
  /// Enters a new child: last in the list, whatever the state, so that a late one never overtakes an earlier one.
  @inline(__always)
  func attach(_ child: Promise, _ agenda: inout Agenda) {
    let bits = word.lock() | State.observed
    guard State.isSettled(bits) else { return attachPending(child, bits) }
    attachLate(child, bits, &agenda)
  }

  /// The same, and does what is to be done.
  @inline(__always)
  func attach(_ child: Promise) {
    let bits = word.lock() | State.observed
    if State.isSettled(bits) {
      attachLate(child, bits)
    } else {
      attachPending(child, bits)
    }
  }

  /// The promise is pending, and locked. Only the first child of one whose own handlers wait need not hold it.
  @inline(__always)
  private func attachPending(_ child: Promise, _ bits: UInt) {
    var bits = bits
    if waiting == nil, bits & (State.mask | State.hasHandlers) == State.hasHandlers {
      bits |= State.carries
    } else {
      _ = Unmanaged.passRetained(self)
    }
    appendWaiting(child)
    word.unlock(bits)
  }

  /// From now on the child that this promise carries, if there is one, holds it like the others. The promise is locked.
  @inline(__always)
  func bearNoMore(_ bits: inout UInt) {
    if bits & State.carries == 0 { return }
    bits &= ~State.carries
    _ = Unmanaged.passRetained(self)
  }

  @inline(never)
  private func attachLate(_ child: Promise, _ lockedBits: UInt) {
    var agenda = Agenda()
    attachLate(child, lockedBits, &agenda)
    agenda.run()
  }

  /// The promise is settled; if nobody is dispatching it, whoever enters the child does.
  private func attachLate(_ child: Promise, _ lockedBits: UInt, _ agenda: inout Agenda) {
    var bits = lockedBits
    if !isActive { enrol(&bits) }
    _ = Unmanaged.passRetained(self)
    appendWaiting(child)
    guard bits & State.draining == 0 else { return word.unlock(bits) }
    let (first, endsHere, action) = nextContinuation(bits | State.draining, &agenda)
    Promise.perform(action, first, &agenda)
    // Whoever called holds this promise for the moment.
    if !endsHere { Promise.dispatch(Unmanaged.passRetained(self), &agenda) }
  }

  /// Hands over the continuations of a settled promise until none is left. Exactly one thread does so at a time (the
  /// `draining` bit); it owns `held`.
  ///
  /// A child that runs on this stack is entered as `dispatching`: the promise is let go, the child holds it, and
  /// when the child leaves it, or has at least started, the dispatching goes on (`goOnDispatching`). So a promise that nobody
  /// else holds is held by its last child alone when that settles, which then need not count on it; and who takes one child out of the
  /// list takes the next one under the same lock.
  static func dispatch(_ held: Unmanaged<Promise>, _ agenda: inout Agenda) {
    while true {
      let (child, endsHere, action) = held.use { $0.nextContinuation($0.word.lock(), &agenda) }
      if endsHere { held.release() }
      if action == .handOverRun {
        agenda.tellNews()
        held.use { $0.handOver(child!, &agenda) }
      } else {
        perform(action, child, &agenda)
      }
      if endsHere { return }
    }
  }

  /// Tells whoever observes this promise, which is being dispatched by this stack.
  func tellObservers(_ agenda: inout Agenda) {
    while true {
      let bits = word.lock()
      let observer = rare.isQuiet ? nil : popObserver()
      word.unlock(bits)
      guard let observer else { return }
      observer.settled(self, &agenda)
    }
  }

  /// Where a settled promise, which is locked, has one child only, and that one goes on upon this stack as soon as nothing else
  /// is to be done: takes it out right now, and unlocks. Saves coming back for it.
  @inline(__always)
  func dispatchOnlyChild(_ bits: UInt, _ agenda: inout Agenda) -> Bool {
    let child = waiting!
    guard agenda.isIdle, child.use({ $0.next == nil }) else { return false }
    let wanted = bits & State.mask == State.fulfilled ? State.handlesValue : State.handlesReason
    let inherits = child.use { $0.word.peek() } & wanted == 0
    if !inherits {
      if agenda.continuesInPlace, agenda.continuation == nil, child.use({ $0.context.isPrivate }) {
        waiting = nil
        pushActive(child)
        word.unlock(bits)
        agenda.continuation = child
        return true
      }
      guard child.use({ $0.context.isImmediate }) else { return false }
    }
    waiting = nil
    pushActive(child, as: .dispatching)
    word.unlock(bits | State.draining)
    agenda.add(child, inherits: inherits)
    return true
  }

  private enum Action { case done, observed, inherit, continueInPlace, runHere, handOver, handOverRun }

  @inline(__always)
  private static func perform(_ action: Action, _ child: Unmanaged<Promise>?, _ agenda: inout Agenda) {
    switch action {
    case .done, .observed: break
    case .inherit: inherit(child!, &agenda)
    case .continueInPlace: agenda.continuation = child
    case .runHere: runHere(child!, &agenda)
    case .handOver, .handOverRun:
      agenda.tellNews()
      // Still dispatching: nobody may overtake this child on the way to its context.
      child!.use { $0.context }.submit(child!, &agenda)
    }
  }

  @inline(__always)
  static func inherit(_ child: Unmanaged<Promise>, _ agenda: inout Agenda) {
    child.use { $0.inherit(&agenda) }
    child.release()
  }

  /// To run is to hand over: nobody may overtake this child before it has started.
  @inline(__always)
  static func runHere(_ child: Unmanaged<Promise>, _ agenda: inout Agenda) {
    agenda.tellNews()
    agenda.submitContinuation()
    agenda.run(child)
  }

  /// Takes out the next continuation of a settled promise that is locked, and unlocks it. `endsHere` if the promise
  /// is dispatched with that, or the child is entered as `dispatching`.
  @inline(__always)
  private func nextContinuation(_ bits: UInt, _ agenda: inout Agenda) -> (
    Unmanaged<Promise>?, endsHere: Bool, Action
  ) {
    if !rare.isQuiet, let observer = popObserver() {
      word.unlock(bits)
      observer.settled(self, &agenda)
      return (nil, false, .observed)
    }
    guard let child = popWaiting() else {
      word.unlock(bits & ~State.draining)
      return (nil, true, .done)
    }
    let isLast = waiting == nil
    let wanted = bits & State.mask == State.fulfilled ? State.handlesValue : State.handlesReason
    var action = Action.inherit
    if child.use({ $0.word.peek() }) & wanted != 0 {
      if isLast, agenda.continuesInPlace, agenda.continuation == nil, child.use({ $0.context.isPrivate }) {
        pushActive(child)
        word.unlock(bits & ~State.draining)
        return (child, true, .continueInPlace)
      }
      action = child.use { $0.context.isImmediate } ? .runHere : isLast ? .handOver : .handOverRun
    }
    let endsHere = action == .runHere || isLast && action == .inherit
    pushActive(child, as: endsHere ? .dispatching : .active)
    word.unlock(bits)
    return (child, endsHere, action)
  }

  /// The child that ran on this stack leaves, or has started: one that runs here, too, is next. The promise is locked.
  @inline(__always)
  func goOnDispatching(_ bits: inout UInt, _ agenda: inout Agenda) {
    if waiting == nil, rare.isQuiet { bits &= ~State.draining } else { goOnWithRest(&bits, &agenda) }
  }

  private func goOnWithRest(_ bits: inout UInt, _ agenda: inout Agenda) {
    guard !hasObservers else { return agenda.addDispatch(of: self) }
    guard let child = waiting else {
      bits &= ~State.draining
      return
    }
    let wanted = bits & State.mask == State.fulfilled ? State.handlesValue : State.handlesReason
    let inherits = child.use { $0.word.peek() } & wanted == 0
    guard agenda.child == nil, inherits || child.use({ $0.context.isImmediate }) else {
      return agenda.addDispatch(of: self)
    }
    _ = popWaiting()
    pushActive(child, as: .dispatching)
    agenda.add(child, inherits: inherits)
  }

  /// This child is pending although its handler has run: the dispatching of the parent, if it waits for that, goes on.
  func releaseDispatching(_ agenda: inout Agenda) {
    var bits = word.lock()
    bearNoMore(&bits)
    if let parent = up.parent {
      parent.use { parent in
        var parentBits = parent.word.lock()
        if position.place == .dispatching {
          position = Position(.active, after: position.before)
          parent.goOnDispatching(&parentBits, &agenda)
        }
        parent.word.unlock(parentBits)
      }
    }
    word.unlock(bits)
  }

  /// A child without a handler for its parent's outcome settles the same way (2.2.7.3, 2.2.7.4; told: C2).
  private func inherit(_ agenda: inout Agenda) {
    let bits = word.lock()
    guard State.isUnresolved(bits), let parent = up.parent else {
      word.unlock(bits)
      return releaseDispatching(&agenda)
    }
    let parentBits = parent.use { $0.word.peek() }
    let outcome = parent.use { $0.store.copyOutcome(parentBits) }
    finish(bits, outcome, parentBits & (State.mask | State.told), &agenda)
  }
}
