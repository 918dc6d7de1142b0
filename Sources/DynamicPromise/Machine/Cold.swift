// What most promises never need, kept out of line: hooks of the task, and observers.

/// The rarely used fields of a promise; guarded by the promise's word.
final class Cold {
  /// This promise's entry among the observers of the promise that it has adopted.
  @exclusivity(unchecked) var adoption: AdoptionNode?
  /// Run once when the promise is cancelled by message; dropped when it settles otherwise (C6).
  @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Run once when the promise goes away unresolved (L1); dropped when it is resolved.
  @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// What a resolver wants to know after the promise has gone.
  @exclusivity(unchecked) var fate: Fate?
  /// A handler that goes on although its child was settled by hand (`Promise.displaceHandlers`).
  @exclusivity(unchecked) var displaced: Promise?
  /// Whoever wants the outcome and is not a child, oldest first.
  @exclusivity(unchecked) var observers = ObserverList()
}

/// What settling takes out of the cold fields under the lock, to be told or freed after it.
struct Withdrawn {
  let cancelHooks: [@Sendable (any Error) -> Void]
  let abandonHooks: [@Sendable () -> Void]
  let adoption: AdoptionNode?
  let fate: Fate?
  let hasObservers: Bool

  /// The promise was cancelled by message.
  func tell(_ reason: any Error) {
    fate?.tell(reason)
    for hook in cancelHooks { hook(reason) }
  }
}

extension Cold {
  func withdraw() -> Withdrawn {
    let withdrawn = Withdrawn(
      cancelHooks: cancelHooks, abandonHooks: abandonHooks, adoption: adoption, fate: fate,
      hasObservers: !observers.isEmpty)
    cancelHooks = []
    abandonHooks = []
    adoption = nil
    return withdrawn
  }
}

/// Somebody who wants a promise's outcome without being its child: an adopter, a race, a waiting thread.
/// A decided observer stays in the list as a tombstone, or is taken out by `ObserverList.remove`.
class Observer {
  @exclusivity(unchecked) fileprivate(set) var nextObserver: Observer?
  @exclusivity(unchecked) fileprivate(set) unowned(unsafe) var previousObserver: Observer?
  /// The promise in whose list this observer stands.
  let home = Owner()

  init() {}

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
  /// The cold fields, made on first use. The caller holds the lock.
  var coldFields: Cold {
    if let cold { return cold }
    let made = Cold()
    cold = made
    return made
  }
}
