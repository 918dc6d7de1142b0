/// An object, not a child, that is notified of a promise's outcome: a follower, a combinator, a waiting task
/// or thread.
class Observer {
  // The neighbors in the list; guarded by the lock of the observed promise.
  @exclusivity(unchecked) fileprivate var next: Observer?
  @exclusivity(unchecked) fileprivate var previous: Observer?
  /// The observed promise, from the registration until this observer has left or was notified. The promise
  /// exists meanwhile. Guarded by `place`.
  @exclusivity(unchecked) var target: Core?
  /// The lock of the observed promise. An observer that never leaves needs none.
  let place: TreeLock
  /// Whether this observer counts as a consumer. A consumer that is still there observes a rejection.
  let isConsumer: Bool
  /// Whether this observer is a ``CompletionObserver``.
  let isCompletion: Bool
  /// Whether this observer is an ``Adoption``, which has a hold on the observed promise.
  let isFollower: Bool

  init(isConsumer: Bool, isCompletion: Bool = false, isFollower: Bool = false, at place: TreeLock = .any) {
    self.isConsumer = isConsumer
    self.isCompletion = isCompletion
    self.isFollower = isFollower
    self.place = place
  }

  /// Called at most once, with nothing locked, on the settling stack, or on the registering stack if the
  /// promise has settled before. Must not run user code on that stack.
  func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {}

  /// Stops observing the promise, if it is pending. If `reason` is given, this observer withdraws. Called
  /// with nothing locked.
  ///
  /// - Returns: Whether the promise has settled, or is unwanted and has no consumer.
  @discardableResult
  func leave(unwanted reason: (any Error)? = nil, _ turn: Turn) -> Bool {
    place.with {
      guard let target, !target.isSettled else { return true }
      target.remove(self, unwanted: reason, turn)
      return target.isUnneeded
    }
  }
}

/// A linked list of observers, in order of registration. The links are fields of the observers. An observer
/// is in one list at most.
///
/// Code that takes a list out of its promise must call ``dissolve(_:)``, because neighbors retain each other.
struct ObserverList {
  fileprivate var first: Observer?
  private var last: Observer?
  /// The number of followers in the list.
  private(set) var followers: Int32 = 0

  var isEmpty: Bool { first == nil }

  func forEach(_ body: (Observer) -> Void) {
    var current = first
    while let observer = current {
      LockedWork.step()
      current = observer.next
      body(observer)
    }
  }

  /// The observer of the combinator or timer that this promise is the result of, or the unfinished work of
  /// which it is the extra child. It is always the first observer, because it was added when the promise was
  /// made.
  @inline(__always) var completion: CompletionObserver? {
    guard let first, first.isCompletion else { return nil }
    return first as? CompletionObserver
  }

  /// Whether there are followers, few enough for one critical section, and no other observers.
  var hasOnlyFollowers: Bool {
    guard followers > 0, followers <= Limits.slice else { return false }
    var isTrue = true
    forEach { if !$0.isFollower { isTrue = false } }
    return isTrue
  }

  fileprivate mutating func append(_ observer: Observer) {
    assert(observer.next == nil && observer.previous == nil, "the observer has a promise already")
    if observer.isFollower { followers += 1 }
    observer.previous = last
    if let last { last.next = observer } else { first = observer }
    last = observer
  }

  fileprivate mutating func remove(_ observer: Observer) {
    let (next, previous) = (observer.next.take(), observer.previous.take())
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    if observer.isFollower { followers -= 1 }
  }

  /// Forgets the targets of as many observers as one critical section may visit, from `observer` on.
  ///
  /// - Returns: The observer to continue with.
  static func forgetTargets(from observer: Observer?) -> Observer? {
    var current = observer
    for _ in 0..<Limits.slice {
      guard let observer = current else { return nil }
      observer.target = nil
      current = observer.next
    }
    return current
  }

  /// Removes the links of a list that was taken out of its promise, and passes each observer to `release`.
  /// The loop needs a bounded stack for a list of any length.
  consuming func dissolve(_ release: (Observer) -> Void) {
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

// Called with the lock held.
extension Core {
  /// Adds an observer to a pending promise. A follower gets a hold.
  func addObserver(_ observer: Observer, _ turn: Turn) {
    if observer.isFollower { hold() }
    assert(observer.place == lock || observer.place == .any, "the observer was made for another promise")
    observer.target = self
    sideFields.observers.append(observer)
    if observer.isConsumer { changeDemand(by: 1, turn) }
  }

  /// Removes an observer of this pending promise. If `reason` is given, the observer withdraws. The caller
  /// has a hold if the observer is a follower, because its hold ends.
  func remove(_ observer: Observer, unwanted reason: (any Error)?, _ turn: Turn) {
    guard let side else { return }
    observer.target = nil
    side.observers.remove(observer)
    turn.release(observer)
    if reason != nil { side.hasWithdrawnConsumer = true }
    changeDemand(by: observer.isConsumer ? -1 : 0, unwanted: reason, turn)
    if observer.isFollower { dropSome() }
  }
}

// Called with nothing locked.
extension Core {
  /// Adds an observer, or notifies it at once if the promise has settled.
  func observe(_ observer: Observer, _ turn: Turn) {
    lock.lock()
    let outcome = outcome
    if outcome == nil {
      addObserver(observer, turn)
    } else if observer.isConsumer {
      flags.insert(.observed)
    }
    lock.unlock()
    if let outcome { observer.settled(self, with: outcome, turn) }
  }

  /// Notifies the observers that this settled promise had. Called with a hold, which it drops.
  func notify(_ observers: ObserverList, _ turn: Turn) {
    pass(to: observers, turn)
    let lock = lock
    var rest = observers.first
    repeat {
      lock.lock()
      rest = ObserverList.forgetTargets(from: rest)
      if rest == nil { drop(turn) }
      lock.unlock()
    } while rest != nil
    observers.dissolve { turn.release($0) }
  }

  /// A function of its own, so that no copy of the outcome is left when the hold is dropped.
  @inline(never)
  private func pass(to observers: ObserverList, _ turn: Turn) {
    guard let outcome else { return }
    observers.forEach { $0.settled(self, with: outcome, turn) }
  }
}

extension Promise {
  func observe(_ observer: Observer, _ turn: Turn) { core.observe(observer, turn) }

  /// Removes an observer without a withdrawal.
  func forget(_ observer: Observer) {
    let turn = Turn.current
    observer.leave(turn)
    turn.drain()
  }
}
