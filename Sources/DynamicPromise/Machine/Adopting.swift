// Adoption: a promise that follows another one. Flat, so that a handler which returns the promise of the next
// iteration a million times runs in constant memory (L3), and without recursion (L4).
//
// An adopter A of T holds T in its store and stands among T's observers. When T itself adopts U, T's adopters move on to U
// and T may be *represented* by them: it still follows U, but U does not hold it. So an intermediate promise that
// nobody holds goes away at once, and one that somebody holds stays, moves on, and settles with the rest. They all share
// one fate: a cancellation of any of them is forwarded to the promise at the end, and comes back to all (C4).
//
// T is represented only if no cancellation from above gets lost with it (C3): if T has no ancestor that anybody could
// cancel, or an adopter has the same one. Otherwise U holds T, too, until both settle. In a loop that hangs each
// iteration's promise below one long-lived promise, the first stays for all.
//
// CYCLES (A2). A promise is locked in, with its target, before it walks along the targets. Of the promises that close a
// cycle the one that was locked in last sees all others, meets itself, and rejects; the others follow it.

/// An adopter among the observers of the promise that it follows.
final class AdoptionNode: Observer {
  /// The adopter, unless others represent it; guarded by the lock of `home`.
  var member: Promise?
  private let adopter: Faint

  init(_ adopter: Promise) { self.adopter = Faint(adopter) }

  var adopterIfAlive: Promise? { member ?? adopter.promise }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) {
    guard let adopter = adopterIfAlive else { return }
    member = nil
    adopter.follow(promise, &agenda)
  }
}

extension Promise {
  /// How many adopters move on when their promise adopts another one. More stay where they are, which costs memory
  /// in a loop that has so many heads, and saves moving all of them at every turn. Where several threads run a loop, adopters that are on
  /// their way out count for as long as a thread that holds them is not let run: with room for eight, one turn in a thousand left a link behind
  /// for good.
  private static let mobileAdopters = 64

  /// Resolves this promise with `other`.
  func adopt(_ other: Promise, _ agenda: inout Agenda) {
    if other === self { return settle(Outcome.rejected(PromiseError.cycle), &agenda) }
    var bits = word.lock()
    guard State.isUnresolved(bits) else {
      word.unlock(bits & ~State.forwardsLate)
      if bits & State.forwardsLate != 0, let reason {
        agenda.add(.cancel(.promise(other), reason))
        other.markObserved()
      }
      return
    }
    let displaced = displaceHandlers(&bits, &agenda)
    beginFollowing(other, bits, &agenda)
    displaced?.release()
  }

  /// Adopts for a thenable that was resolved with a promise.
  func adoptLockedIn(_ other: Promise, _ agenda: inout Agenda) {
    if other === self {
      return settleLockedIn(.rejected(PromiseError.cycle), &agenda)
    }
    let bits = word.lock()
    guard bits & State.mask == State.lockedIn else {
      word.unlock(bits)
      if bits & State.told != 0, let reason {
        agenda.add(.cancel(.promise(other), reason))
        other.markObserved()
      }
      return
    }
    beginFollowing(other, bits, &agenda)
  }

  /// Called with the lock held, gives it back.
  private func beginFollowing(_ other: Promise, _ lockedBits: UInt, _ agenda: inout Agenda) {
    let otherBits = other.word.peek()
    if State.isSettled(otherBits) {
      let resolved = lockedBits & ~State.mask | State.lockedIn
      finish(resolved, other.store.copyOutcome(otherBits), otherBits & (State.mask | State.told), &agenda)
      other.markObserved()
      noteFollowing(other)
      return
    }
    var bits = lockedBits
    var debris = Debris()
    let cold = coldFields
    var abandonHooks: [@Sendable () -> Void] = []
    swap(&abandonHooks, &cold.abandonHooks)
    let node = AdoptionNode(self)
    let movers = takeMobileAdopters(cold)
    node.member = self
    cold.adoption = node
    store = Store(target: other)
    bits |= State.hasTarget
    stopWaiting(&debris)
    word.unlock(bits & ~State.mask | State.lockedIn)
    debris.clear()
    withExtendedLifetime(abandonHooks) {}
    noteFollowing(other)

    register(node, at: other, &agenda)
    let adopters = movers.compactMap(\.member)
    for mover in movers { mover.adopterIfAlive?.moveOn(mover, from: self, to: other, &agenda) }
    letBeRepresented(by: adopters)
    // One that is held only because somebody held its parent when it was asked last is asked again: in a loop on several threads
    // there is one now and then, and nobody else would ever come past.
    for adopter in adopters.dropFirst() { adopter.letBeRepresented(by: [adopters[0]]) }
  }

  private func takeMobileAdopters(_ cold: Cold) -> [AdoptionNode] {
    var movers: [AdoptionNode] = []
    var seen = 0
    var observer = cold.observers.first
    while let current = observer {
      seen += 1
      if seen > Promise.mobileAdopters { return [] }
      if let node = current as? AdoptionNode { movers.append(node) }
      observer = current.nextObserver
    }
    for mover in movers {
      mover.home.set(nil)
      cold.observers.remove(mover)
    }
    return movers
  }

  /// Enters `node` among the observers at the end of the targets from `start` on, or settles at once. The target is moved
  /// before the node is entered: who finds the node at a promise, to move it on, finds that promise as the target.
  private func register(_ node: AdoptionNode, at start: Promise, _ agenda: inout Agenda) {
    var current = start
    var target = start
    var landmark = start
    var hops = 0
    var isInCircle = false
    while true {
      if current === self {
        return settleLockedIn(.rejected(PromiseError.cycle), &agenda)
      }
      let bits = current.word.lock()
      if State.isSettled(bits) {
        current.word.unlock(bits | State.observed)
        return follow(current, &agenda)
      }
      if !isInCircle, bits & State.hasTarget != 0 {
        let further = current.store.target()
        current.word.unlock(bits | State.observed)
        current.letBeRepresented(by: [self])
        current = further
        hops += 1
        // A cycle of others, which one of them is about to find: any of them will do.
        isInCircle = current === landmark
        if hops & (hops - 1) == 0 { landmark = current }
        continue
      }
      if target === current {
        current.enter(node)
        return current.word.unlock(bits | State.observed)
      }
      current.word.unlock(bits)
      guard retarget(to: current) else { return }
      target = current
    }
  }

  /// Changes the target of a promise that is locked in; false if it is settled by now.
  private func retarget(to target: Promise) -> Bool {
    let bits = word.lock()
    guard bits & State.hasTarget != 0 else {
      word.unlock(bits)
      return false
    }
    let former = store.takeTarget()
    store = Store(target: target)
    word.unlock(bits)
    withExtendedLifetime(former) {}
    return true
  }

  /// Adopters have gone past this promise: unless a cancellation could miss it, it need not be held any longer by the one
  /// that it follows itself.
  private func letBeRepresented(by adopters: [Promise]) {
    guard !adopters.isEmpty, isRepresented(by: adopters) else { return }
    let bits = word.lock()
    guard bits & State.hasTarget != 0, let cold, let node = cold.adoption, cold.cancelHooks.isEmpty else {
      return word.unlock(bits)
    }
    let target = store.target()
    word.unlock(bits)
    var hold: Promise?
    let targetBits = target.word.lock()
    if node.home.isOwner(target) { swap(&hold, &node.member) }
    target.word.unlock(targetBits)
    // Somebody may have taken hold of the parent meanwhile, and have found nothing to restore yet.
    if hold != nil, !isRepresented(by: adopters) { standForItself() }
    withExtendedLifetime(hold) {}
  }

  /// Whether every cancellation from above also reaches one of `adopters`.
  private func isRepresented(by adopters: [Promise]) -> Bool {
    guard let ancestor = cancellableAncestor else { return true }
    return adopters.contains { $0.descends(from: ancestor) }
  }

  /// The nearest ancestor that somebody else holds, and so could cancel.
  private var cancellableAncestor: Promise? {
    let bits = word.lock()
    guard let parent = up.parent else {
      word.unlock(bits)
      return nearestAncestor
    }
    let parentBits = parent.use { $0.word.lock() }
    let isOurs =
      State.isSettled(parentBits) && !State.hasDescendants(parentBits) && !up.isBorrowed && parent.isUnique
    let ancestor: Promise?
    if isOurs {
      ancestor = Promise.nearestAncestor(ofLocked: parent)
    } else {
      ancestor = parent.takeUnretainedValue()
      parent.use { $0.word.unlock(parentBits) }
    }
    word.unlock(bits)
    return ancestor
  }

  /// Whether `ancestor` is one of the next ancestors. Not further up than a loop would have it: a wrong no costs memory only.
  private func descends(from ancestor: Promise) -> Bool {
    var candidate = nearestAncestor
    for _ in 0..<64 {
      guard let promise = candidate else { return false }
      if promise === ancestor { return true }
      candidate = promise.nearestAncestor
    }
    return false
  }

  /// Somebody has taken hold of this promise's parent, and may cancel it when this promise is gone, or wants to hear of its
  /// cancellation: to be sure that it is not gone, it is held by the promise that it follows again.
  func standForItself() {
    let bits = word.lock()
    guard bits & State.hasTarget != 0, let node = cold?.adoption else { return word.unlock(bits) }
    let target = store.target()
    word.unlock(bits)
    let targetBits = target.word.lock()
    if node.home.isOwner(target), node.member == nil { node.member = self }
    target.word.unlock(targetBits)
  }

  /// An adopter of `former`, which has adopted `target`: follow that one directly.
  private func moveOn(_ node: AdoptionNode, from former: Promise, to target: Promise, _ agenda: inout Agenda)
  {
    let bits = word.lock()
    guard bits & State.hasTarget != 0, store.target() === former else {
      return word.unlock(bits)
    }
    let reference = store.takeTarget()
    store = Store(target: target)
    word.unlock(bits)
    withExtendedLifetime(reference) {}
    register(node, at: target, &agenda)
  }

  /// Settles like the promise that this one has followed.
  fileprivate func follow(_ adopted: Promise, _ agenda: inout Agenda) {
    let bits = adopted.word.peek()
    settleLockedIn(adopted.store.copyOutcome(bits), bits & (State.mask | State.told), &agenda)
  }

  /// From now on nothing but the adopted promise, or the thenable's functions, and whoever else holds this one keep it: it need
  /// not wait in its parent's list any more. The promise is locked.
  func stopWaiting(_ debris: inout Debris) {
    guard let parent = up.parent else { return }
    parent.use { parent in
      var bits = parent.word.lock()
      if position.place == .waiting {
        debris.child = parent.removeWaiting(self)
        parent.pushActive(.passUnretained(self))
        parent.bearNoMore(&bits)
      }
      parent.word.unlock(bits)
    }
  }
}
