// Whoever wants the outcome of a promise and is not its child.

/// Somebody who wants a promise's outcome without being its child: an adopter, a race, a waiting thread.
/// A decided observer stays in the list as a tombstone, or is taken out by `ObserverList.remove`.
class Observer {
  @exclusivity(unchecked) fileprivate(set) var nextObserver: Observer?
  @exclusivity(unchecked) fileprivate(set) unowned(unsafe) var previousObserver: Observer?
  /// The promise in whose list this observer stands.
  let home = Owner()

  init() {}

  /// Who takes this one's place when it stands alone no longer. The promise is locked.
  func standIn(at promise: Promise) -> Observer { self }

  /// Called once, outside every lock, on the settling stack; must not run user code on it.
  func settled(_ promise: Promise, _ agenda: inout Agenda) {}
}

/// A first-in-first-out list of observers with removal from the middle; guarded by the promise that it belongs to.
struct ObserverList {
  private(set) var first: Observer?
  private unowned(unsafe) var last: Observer?

  var isEmpty: Bool { first == nil }

  mutating func append(_ observer: Observer) {
    if let last {
      last.nextObserver = observer
      observer.previousObserver = last
    } else {
      first = observer
      observer.previousObserver = nil
    }
    last = observer
  }

  mutating func popFirst() -> Observer? {
    guard let head = first else { return nil }
    head.home.set(nil)
    remove(head)
    return head
  }

  /// Takes out an observer that stands in this list.
  mutating func remove(_ observer: Observer) {
    let following = observer.nextObserver
    if let before = observer.previousObserver {
      before.nextObserver = following
    } else {
      first = following
    }
    if let following {
      following.previousObserver = observer.previousObserver
    } else {
      last = observer.previousObserver
    }
    observer.nextObserver = nil
    observer.previousObserver = nil
  }
}

extension Promise {
  /// Whether anybody waits among the observers. The caller holds the lock.
  @inline(__always) var hasObservers: Bool { !rare.isQuiet && (cold.map { !$0.observers.isEmpty } ?? true) }

  /// Enters an observer last. The caller holds the lock.
  @inline(__always)
  func enter(_ observer: Observer) {
    observer.home.set(self)
    if rare.isNone { rare = Rare(.passRetained(observer)) } else { coldFields.observers.append(observer) }
  }

  /// Takes the oldest observer out. The caller holds the lock.
  @inline(__always)
  func popObserver() -> Observer? {
    guard let alone = rare.observer else { return cold?.observers.popFirst() }
    rare = Rare()
    alone._withUnsafeGuaranteedRef { $0.home.set(nil) }
    return alone.takeRetainedValue()
  }

  /// Enters an observer, or tells it at once.
  func observe(_ observer: Observer, _ agenda: inout Agenda) {
    let bits = word.lock() | State.observed
    if State.isSettled(bits), bits & State.draining == 0 {
      word.unlock(bits)
      observer.settled(self, &agenda)
    } else {
      enter(observer)
      word.unlock(bits)
    }
  }

  /// Takes an observer out that is not wanted any more.
  func forget(_ observer: Observer) {
    var former: Observer?
    let bits = word.lock()
    if observer.home.isOwner(self) {
      if rare.observer != nil {
        former = popObserver()
      } else {
        observer.home.set(nil)
        cold?.observers.remove(observer)
      }
    }
    word.unlock(bits)
    withExtendedLifetime(former) {}
  }
}
