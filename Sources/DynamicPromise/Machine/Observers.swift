/// An object, not a child, that is notified of a promise's outcome: an adopter, a combinator, a waiting task
/// or thread.
class Observer {
  // The neighbors in the list; guarded by the lock of the observed promise.
  @exclusivity(unchecked) fileprivate var next: Observer?
  @exclusivity(unchecked) fileprivate var previous: Observer?
  /// Whether this observer counts as a consumer. A consumer that is still there observes a rejection.
  let isConsumer: Bool
  /// Whether this observer is a ``CompletionObserver``.
  let isCompletion: Bool

  init(isConsumer: Bool, isCompletion: Bool = false) {
    self.isConsumer = isConsumer
    self.isCompletion = isCompletion
  }

  /// Called at most once, with nothing locked, on the settling stack. Must not run user code on that stack.
  func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {}
}

/// A linked list of observers, in order of registration. Nothing is allocated under the lock, because the
/// links are fields of the observers. An observer is in one list at most.
///
/// Code that takes a list out of its promise must call ``dissolve(_:)``, because neighbors retain each other.
struct ObserverList {
  private var first: Observer?
  private var last: Observer?
  /// The number of adopters in the list.
  private(set) var adopters: Int32 = 0

  var isEmpty: Bool { first == nil }

  func forEach(_ body: (Observer) -> Void) {
    var current = first
    while let observer = current {
      LockedWork.step()
      current = observer.next
      body(observer)
    }
  }

  /// The observer of the combinator or timer that this promise is the result of. It is always the first
  /// observer, because it was added when the promise was made.
  @inline(__always) var completion: CompletionObserver? {
    guard let first, first.isCompletion else { return nil }
    return first as? CompletionObserver
  }

  /// Whether an adopter has the property. Looks at the first eight observers only, so that the cost is
  /// constant.
  func hasAdoption(where property: (Adoption) -> Bool) -> Bool {
    var current = first
    for _ in 0..<8 {
      guard let observer = current else { return false }
      if let adoption = observer as? Adoption, property(adoption) { return true }
      current = observer.next
    }
    return false
  }

  mutating func append(_ observer: Observer) {
    assert(observer.next == nil && observer.previous == nil, "the observer has a promise already")
    if observer is Adoption { adopters += 1 }
    observer.previous = last
    if let last { last.next = observer } else { first = observer }
    last = observer
  }

  /// Removes an observer, if it is in this list.
  mutating func remove(_ observer: Observer) -> Bool {
    // If the promise's observers were taken out, this list is empty, but the observers still have their
    // links.
    guard first != nil, observer.previous != nil || first === observer else { return false }
    let (next, previous) = (observer.next.take(), observer.previous.take())
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    if observer is Adoption { adopters -= 1 }
    return true
  }

  /// Removes the links of a list that was taken out of its promise, and passes each observer to `release`.
  /// Called with nothing locked. The loop needs a bounded stack for a list of any length.
  consuming func dissolve(_ release: (Observer) -> Void = { _ in }) {
    var current = first
    first = nil
    last = nil
    while let observer = current {
      current = observer.next.take()
      observer.previous = nil
      release(observer)
    }
  }
}

// Transitions: called with the lock held.
extension Promise {
  /// Adds an observer to a pending promise.
  func addObserver(_ observer: Observer, _ turn: Turn) {
    sideFields.observers.append(observer)
    if observer.isConsumer { changeDemand(by: 1, turn) }
    if observer is Adoption { updateHolds(turn) }
  }

  /// Removes an observer. If `reason` is given, the observer withdraws: the promise is marked as unwanted,
  /// even if the observer was not added yet.
  func leave(_ observer: Observer, unwanted reason: (any Error)? = nil, _ turn: Turn) {
    let wasThere = side?.observers.remove(observer) ?? false
    if wasThere, reason != nil { side?.hasWithdrawnConsumer = true }
    changeDemand(by: wasThere && observer.isConsumer ? -1 : 0, unwanted: reason, turn)
    releaseItself(turn)
  }
}

extension Promise {
  /// The observers of a promise that is freed.
  struct Dismissed {
    var all: [Observer] = []
    var adopters: [Adoption] = []
  }

  /// Removes the observers from a promise that is being freed. Called with the lock held. If there are
  /// observers, the lock is free for a moment.
  @inline(__always)
  func dismissObservers() -> Dismissed {
    guard let side, !side.observers.isEmpty else { return Dismissed() }
    return dismissObservers(of: side)
  }

  @inline(never)
  private func dismissObservers(of side: Side) -> Dismissed {
    // The observers are removed from the side storage, because a resolver may retain it.
    var observers = ObserverList()
    swap(&observers, &side.observers)
    lock.unlock()
    var dismissed = Dismissed()
    observers.forEach {
      dismissed.all.append($0)
      if let adoption = $0 as? Adoption { dismissed.adopters.append(adoption) }
    }
    observers.dissolve()
    lock.lock()
    return dismissed
  }

  /// Adds an observer, or notifies it at once if the promise has settled.
  func observe(_ observer: Observer, _ turn: Turn) {
    lock.lock()
    let outcome = state.outcome
    if outcome == nil {
      addObserver(observer, turn)
    } else if observer.isConsumer {
      flags.insert(.observed)
    }
    lock.unlock()
    if let outcome { observer.settled(self, with: outcome, turn) }
  }

  /// Removes an observer without a withdrawal.
  func forget(_ observer: Observer) {
    let turn = Turn.current
    lock.lock()
    leave(observer, turn)
    lock.unlock()
    turn.drain()
  }
}
