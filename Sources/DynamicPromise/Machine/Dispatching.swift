// From a settled promise to its continuations: the order of hand-over (A4), the run of a handler (A1).

extension Promise {
  /// Enters a new child: last in the list, whatever the state, so that a late one never overtakes an earlier one.
  func attach(_ child: Promise, _ agenda: inout Agenda) {
    var debris = Debris()
    var bits = word.lock() | State.observed
    let wasActive = hasChildren
    var isDrainer = false
    appendWaiting(child)
    if State.isSettled(bits) {
      if !wasActive { balanceActivity(&bits, &debris) }
      if bits & State.draining == 0 {
        isDrainer = true
        word.unlock(bits | State.draining)
      } else {
        word.unlock(bits)
      }
    } else {
      word.unlock(bits)
    }
    debris.clear()
    if isDrainer { agenda.add(.dispatch(.passRetained(self))) }
  }

  /// Enters an observer, or tells it at once.
  func observe(_ observer: Observer, _ agenda: inout Agenda) {
    let bits = word.lock() | State.observed
    if State.isSettled(bits), bits & State.draining == 0 {
      word.unlock(bits)
      observer.settled(self, &agenda)
    } else {
      observer.home.set(self)
      coldFields.observers.append(observer)
      word.unlock(bits)
    }
  }

  /// Takes an observer out that is not wanted any more.
  func forget(_ observer: Observer) {
    let bits = word.lock()
    let isHere = observer.home.isOwner(self)
    if isHere {
      observer.home.set(nil)
      cold?.observers.remove(observer)
    }
    word.unlock(bits)
  }

  /// Hands over the continuations of a settled promise until none is left. Exactly one thread does so at a time (the
  /// `draining` bit); it owns `held`.
  static func dispatch(_ held: Unmanaged<Promise>, _ agenda: inout Agenda) {
    while true {
      let (child, isLast, action) = held._withUnsafeGuaranteedRef { $0.nextContinuation(&agenda) }
      switch action {
      case .done:
        return held.release()
      case .observed:
        continue
      case .inherit:
        // The child holds its parent; a second holder would keep it from taking over the parent's way up.
        if isLast { held.release() }
        child!._withUnsafeGuaranteedRef { $0.inherit(&agenda) }
        child!.release()
        if isLast { return }
      case .continueInPlace:
        agenda.continuation = child
        return held.release()
      case .runHere:
        // To run is to hand over: nobody may overtake this child before it has started.
        agenda.submitContinuation()
        let isExclusive = isLast && child!._withUnsafeGuaranteedRef { $0.takeOverHold(held) }
        run(child!, &agenda)
        if isExclusive { return }
      case .handOver:
        // Still draining: nobody may overtake this child on the way to its context.
        child!._withUnsafeGuaranteedRef { $0.context }.submit(child!, &agenda)
      }
    }
  }

  private enum Action { case done, observed, inherit, continueInPlace, runHere, handOver }

  private func nextContinuation(_ agenda: inout Agenda) -> (Unmanaged<Promise>?, isLast: Bool, Action) {
    let bits = word.lock()
    if let observer = cold?.observers.popFirst() {
      observer.home.set(nil)
      word.unlock(bits)
      observer.settled(self, &agenda)
      return (nil, false, .observed)
    }
    guard let child = startFirstWaiting() else {
      word.unlock(bits & ~State.draining)
      return (nil, true, .done)
    }
    let isLast = waitingHead == nil
    let kind = child._withUnsafeGuaranteedRef { $0.word.peek() }
    let wanted = bits & State.mask == State.fulfilled ? State.handlesValue : State.handlesReason
    if kind & wanted == 0 {
      word.unlock(isLast ? bits & ~State.draining : bits)
      return (child, isLast, .inherit)
    }
    if isLast, agenda.continuesInPlace, agenda.continuation == nil,
      child._withUnsafeGuaranteedRef({ $0.context.isPrivate })
    {
      word.unlock(bits & ~State.draining)
      return (child, true, .continueInPlace)
    }
    word.unlock(bits)
    let isImmediate = child._withUnsafeGuaranteedRef { $0.context.isImmediate }
    return (child, isLast, isImmediate ? .runHere : .handOver)
  }

  /// The drainer is about to run its last child itself. If nobody but the two of them holds the parent, nobody can
  /// register late: the drainer's hold becomes the child's, so that the child finds the parent unheld when it settles.
  private func takeOverHold(_ held: Unmanaged<Promise>) -> Bool {
    let bits = word.lock()
    guard case .parent(let own) = up, own.toOpaque() == held.toOpaque() else {
      word.unlock(bits)
      return false
    }
    own.release()
    var parent = held.takeRetainedValue()
    let parentBits = parent.word.lock()
    let isExclusive =
      parent.cold?.link == nil && parent.waitingHead == nil && isKnownUniquelyReferenced(&parent)
    parent.word.unlock(isExclusive ? parentBits & ~State.draining : parentBits)
    up = .parent(isExclusive ? .passUnretained(parent) : .passRetained(parent))
    word.unlock(bits)
    // Whichever way it went, the reference that `parent` owns lives on: as the child's, or as the drainer's.
    _ = Unmanaged.passRetained(parent)
    return isExclusive
  }

  /// A child without a handler for its parent's outcome settles the same way (2.2.7.3, 2.2.7.4; told: C2).
  private func inherit(_ agenda: inout Agenda) {
    let bits = word.lock()
    guard State.isUnresolved(bits), case .parent(let held) = up else { return word.unlock(bits) }
    let (outcome, settled) = held._withUnsafeGuaranteedRef {
      ($0.slot, $0.word.peek() & (State.mask | State.told))
    }
    finish(bits, outcome, settled, &agenda)
  }

  /// What a context runs: the handler, then everything that its result sets going.
  static func work(_ child: Unmanaged<Promise>, continuesInPlace: Bool) {
    var agenda = Agenda(continuesInPlace: continuesInPlace)
    run(child, &agenda)
    agenda.run()
  }

  /// Runs the handler of `child` and gives up the reference.
  static func run(_ child: Unmanaged<Promise>, _ agenda: inout Agenda) {
    child._withUnsafeGuaranteedRef { $0.runHandler(&agenda) }
    child.release()
  }

  private func runHandler(_ agenda: inout Agenda) {
    let bits = word.lock()
    guard State.isUnresolved(bits), bits & State.started == 0, case .handlers = slot,
      case .parent(let held) = up
    else {
      let displaced = cold?.displaced
      cold?.displaced = nil
      word.unlock(bits)
      displaced?.runHandler(&agenda)
      return
    }
    var handlers = Slot.running(CurrentThread.id)
    swap(&handlers, &slot)
    let (settled, parentBits) = held._withUnsafeGuaranteedRef { ($0.slot, $0.word.peek()) }
    word.unlock(bits | State.started)

    let result = Promise.call(&handlers, settled)
    if parentBits & State.told != 0 {
      concludeTold(result, settled, &agenda)
    } else if bits & State.isFinally != 0 {
      concludeFinally(result, settled, &agenda)
    } else {
      resolve(result, &agenda)
    }
  }

  /// Calls the handler for the outcome and frees both before anything is settled.
  private static func call(_ taken: inout Slot, _ settled: Slot) -> Resolution {
    var slot = Slot.nothing
    swap(&slot, &taken)
    guard case .handlers(let handlers) = slot else { return .fulfilled(()) }
    do {
      switch settled {
      case .value(let value): return try handlers.fulfilled!(value)
      case .reason(let reason): return try handlers.rejected!(reason)
      default: return .fulfilled(())
      }
    } catch {
      return .rejected(error)
    }
  }
}

// The waiting list. Guarded by the promise's lock; each member is held.
extension Promise {
  func appendWaiting(_ child: Promise) {
    let held = Unmanaged.passRetained(child)
    child.place = .waiting
    child.next = nil
    if let tail = waitingTail {
      child.previous = .promise(tail)
      tail._withUnsafeGuaranteedRef { $0.next = .promise(held) }
    } else {
      child.previous = nil
      waitingHead = held
    }
    waitingTail = held
  }

  /// Takes a child out; the hold on it goes to the caller.
  func removeWaiting(_ child: Promise) -> Unmanaged<Promise> {
    let before = child.previous
    let after = child.next
    if let before { before.next = after } else { waitingHead = after?.unmanagedPromise }
    if let after { after.previous = before } else { waitingTail = before?.unmanagedPromise }
    child.previous = nil
    child.next = nil
    return Unmanaged.passUnretained(child)
  }

  /// Puts `heir` where `child` stood; the hold on `child` goes to the caller.
  func replaceWaiting(_ child: Promise, with heir: Promise) -> Unmanaged<Promise> {
    let held = Unmanaged.passRetained(heir)
    heir.previous = child.previous
    heir.next = child.next
    if let before = child.previous { before.next = .promise(held) } else { waitingHead = held }
    if let after = child.next { after.previous = .promise(held) } else { waitingTail = held }
    child.previous = nil
    child.next = nil
    return Unmanaged.passUnretained(child)
  }

  /// Moves the oldest waiting child to `active`; the hold on it goes to the caller.
  func startFirstWaiting() -> Unmanaged<Promise>? {
    guard let head = waitingHead else { return nil }
    head._withUnsafeGuaranteedRef { child in
      waitingHead = child.next?.unmanagedPromise
      if let following = waitingHead {
        following._withUnsafeGuaranteedRef { $0.previous = nil }
      } else {
        waitingTail = nil
      }
      Entry.promise(head).push(to: &active)
      child.place = .active
    }
    return head
  }
}

extension Entry {
  fileprivate var unmanagedPromise: Unmanaged<Promise>? {
    if case .promise(let promise) = self { promise } else { nil }
  }
}
