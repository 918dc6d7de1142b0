/// Is notified of a promise's outcome without being a child: an adopter, a combinator, a waiting task or
/// thread.
class Observer {
  // Its neighbors in the list; guarded by the lock of the promise that it observes.
  @exclusivity(unchecked) fileprivate var next: Observer?
  @exclusivity(unchecked) fileprivate var previous: Observer?
  /// Whether it counts as a consumer.
  let isConsumer: Bool
  /// Whether it is a ``CompletionObserver``.
  let isCompletion: Bool

  init(isConsumer: Bool, isCompletion: Bool = false) {
    self.isConsumer = isConsumer
    self.isCompletion = isCompletion
  }

  /// Called at most once, outside every lock, on the stack that settles. Must not run user code on it.
  func settled(_ promise: Promise, with outcome: Outcome, _ turn: Turn) {}
}

/// Observers in the order in which they came, with removal from the middle. They are linked to each other, so
/// nothing is allocated under the lock. An observer is in one list at most.
///
/// Neighbors retain each other, so code that takes a list out of its promise must ``dissolve()`` it.
struct ObserverList {
  private var first: Observer?
  private var last: Observer?
  /// How many of them are adopters.
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

  /// The combinator or timer whose result the promise is.
  /// It was added first of all, when the promise was made, and stays.
  @inline(__always) var completion: CompletionObserver? {
    guard let first, first.isCompletion else { return nil }
    return first as? CompletionObserver
  }

  /// Whether one of the promise's followers has the property. Asks a few observers only, however many there
  /// are.
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
    assert(observer.next == nil && observer.previous == nil, "an observer of two promises")
    if observer is Adoption { adopters += 1 }
    observer.previous = last
    if let last { last.next = observer } else { first = observer }
    last = observer
  }

  /// Takes out an observer, if it is in this list.
  mutating func remove(_ observer: Observer) -> Bool {
    // A promise whose list was taken out gets no further observers, and those of the list keep their links.
    guard first != nil, observer.previous != nil || first === observer else { return false }
    let (next, previous) = (observer.next.take(), observer.previous.take())
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    if observer is Adoption { adopters -= 1 }
    return true
  }

  /// The list was taken out of its promise: removes the links, and passes each observer on to be released.
  /// Called with nothing locked; a list of any length needs a bounded stack.
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
  /// Enters an observer of a pending promise.
  func enter(_ observer: Observer, _ turn: Turn) {
    sideFields.observers.append(observer)
    if observer.isConsumer { changeDemand(by: 1, turn) }
    if observer is Adoption { updateHolds(turn) }
  }

  /// Takes out an observer that does not want the outcome any more. With a reason it withdraws, even if it
  /// has not been entered yet.
  func leave(_ observer: Observer, unwanted reason: (any Error)? = nil, _ turn: Turn) {
    let wasThere = side?.observers.remove(observer) ?? false
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

  /// Takes the observers out of a promise that is freed. Called with the lock held, which is free meanwhile
  /// if there are any.
  @inline(__always)
  func dismissObservers() -> Dismissed {
    guard let side, !side.observers.isEmpty else { return Dismissed() }
    return dismissObservers(of: side)
  }

  @inline(never)
  private func dismissObservers(of side: Side) -> Dismissed {
    // A resolver may keep what it shares with the promise.
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

  /// Adds an observer, or notifies it at once if the promise has settled. With `looks` the outcome counts as
  /// observed.
  func observe(_ observer: Observer, looks: Bool = true, _ turn: Turn) {
    lock.lock()
    if looks { flags.insert(.observed) }
    let outcome = state.outcome
    if outcome == nil { enter(observer, turn) }
    lock.unlock()
    if let outcome { observer.settled(self, with: outcome, turn) }
  }

  /// Takes out an observer that is not wanted any more.
  func forget(_ observer: Observer) {
    let turn = Turn.current
    lock.lock()
    leave(observer, turn)
    lock.unlock()
    turn.drain()
  }
}
