/// Is notified of a promise's outcome without being a child: an adopter, a combinator, a waiting task or
/// thread.
class Observer {
  /// Where it stands in the list; guarded by the lock of the promise that it observes.
  @exclusivity(unchecked) fileprivate var index = -1
  /// Whether it counts as a consumer.
  let isConsumer: Bool

  init(isConsumer: Bool) { self.isConsumer = isConsumer }

  /// Called at most once, outside every lock, on the stack that settles. Must not run user code on it.
  func settled(_ promise: Promise, with outcome: Outcome, _ effects: Effects) {}
}

/// Observers in the order in which they came, with removal from the middle. One alone takes no memory. Those
/// who have left are nil until half of the places are; so each operation costs the same on average.
struct ObserverList {
  private var alone: Observer?
  private var places: ContiguousArray<Observer?> = []
  private var count = 0
  /// How many of them are adopters.
  private(set) var adopters = 0

  var isEmpty: Bool { count == 0 }

  func forEach(_ body: (Observer) -> Void) {
    if let alone { body(alone) }
    for case let observer? in places {
      CurrentThread.noteStep()
      body(observer)
    }
  }

  /// The combinator or timer whose result the promise is.
  /// It was added first of all, when the promise was made, and stays.
  var completion: CompletionObserver? { (alone ?? places.first ?? nil) as? CompletionObserver }

  /// The links of those that follow the promise.
  var adoptions: [Adoption] {
    var found: [Adoption] = []
    forEach { if let adoption = $0 as? Adoption { found.append(adoption) } }
    return found
  }

  /// Some of those who follow the promise: looks at a few places only, however many there are.
  var someAdoptions: [Adoption] {
    if let alone { return (alone as? Adoption).map { [$0] } ?? [] }
    return places.prefix(8).compactMap { $0 as? Adoption }
  }

  mutating func append(_ observer: Observer) {
    count += 1
    if observer is Adoption { adopters += 1 }
    if count == 1 { return alone = observer }
    if let first = alone.take() { place(first) }
    place(observer)
  }

  private mutating func place(_ observer: Observer) {
    observer.index = places.count
    places.append(observer)
  }

  /// Takes out an observer, if it stands here.
  mutating func remove(_ observer: Observer) -> Bool {
    if alone === observer {
      alone = nil
    } else {
      guard places.indices.contains(observer.index), places[observer.index] === observer else { return false }
      places[observer.index] = nil
      observer.index = -1
    }
    count -= 1
    if observer is Adoption { adopters -= 1 }
    if count * 2 < places.count { compact() }
    return true
  }

  private mutating func compact() {
    places.removeAll { $0 == nil }
    for (index, observer) in places.enumerated() { observer!.index = index }
  }
}

// Transitions: called with the lock held.
extension Promise {
  /// Enters an observer of a pending promise.
  func enter(_ observer: Observer, _ effects: Effects) {
    sideFields.observers.append(observer)
    if observer.isConsumer { gainConsumer() }
    if observer is Adoption { updateHolds(effects) }
  }

  /// Takes out an observer that does not want the outcome any more.
  func leave(_ observer: Observer, _ effects: Effects) {
    guard let side, side.observers.remove(observer) else { return }
    if observer.isConsumer { loseConsumer(effects) }
    letGoOfItself(effects)
  }
}

extension Promise {
  /// Adds an observer, or notifies it at once if the promise has settled. With `looks` the outcome counts as
  /// observed.
  func observe(_ observer: Observer, looks: Bool = true, _ effects: Effects) {
    lock.lock()
    if looks { flags.insert(.observed) }
    let outcome = state.outcome
    if outcome == nil { enter(observer, effects) }
    lock.unlock()
    if let outcome { observer.settled(self, with: outcome, effects) }
  }

  /// Takes out an observer that is not wanted any more.
  func forget(_ observer: Observer) {
    let effects = Effects.begin()
    lock.lock()
    leave(observer, effects)
    lock.unlock()
    Driver.perform(effects)
  }
}
