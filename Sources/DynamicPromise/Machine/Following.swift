// Following: a promise, the *follower*, settles with the outcome of another promise, the *target*, perhaps in
// another tree. An `Adoption` is the link: the target's observer, and the follower's payload. Two trees are
// never locked at once.
//
// A pending follower has a hold on its target: the link is in the target's list of observers. The target has
// no hold on the follower. A follower that leaves removes the link in a step, because that needs the target's
// lock.
//
// A loop whose handlers return the next round's promise would make a follower in each round. So a follower
// that nothing but its own followers needs is skipped: these follow its target instead
// (`isOnlyFollowed`). The loop then has two such promises at a time.

/// The link from a follower to its target: an observer of the target.
final class Adoption: Observer {
  // Guarded by the follower's lock.
  private let lock: TreeLock
  /// The follower, while it follows.
  @exclusivity(unchecked) private var follower: Core?
  /// The reason with which the follower withdraws, if it was cancelled or is unwanted. Written once, before
  /// the step that leaves the target.
  @exclusivity(unchecked) private var withdrawal: (any Error)?
  /// The wait of a cancelled follower until its target is finished. It starts when the follower has left.
  @exclusivity(unchecked) private var wait: FinishedWait?

  /// For a `finally`: the outcome with which the follower settles when the target is fulfilled.
  fileprivate let original: Outcome?
  private let withdraws: Bool

  /// Whether the follower has left while this link had no target. Guarded by the target's lock.
  @exclusivity(unchecked) private var isOver = false

  init(_ follower: Core, instead original: Outcome?, withdraws: Bool, at target: TreeLock) {
    self.follower = follower
    lock = follower.lock
    self.original = original
    self.withdraws = withdraws
    super.init(isConsumer: true, isFollower: true, at: target)
  }

  // MARK: The follower's side: called with its lock held

  /// The follower settles, or is freed. `reason` says why, if it was cancelled or is unwanted.
  func followerLeaves(_ reason: (any Error)?) {
    follower = nil
    withdrawal = withdraws ? reason : nil
  }

  /// Adds the wait for the target to the follower's unfinished work, just before the follower is cancelled.
  /// The child of a `finally` does not withdraw: it waits for the promise that the body returned.
  func addUnfinishedWork(of follower: Core, _ turn: Turn) {
    if withdraws || original != nil { wait = follower.addUnfinishedWait(turn) }
  }

  // MARK: The target's side: called with nothing locked

  /// Observes the target, in place of the link of a freed follower, if any. If the target has settled, the
  /// follower settles at once.
  fileprivate func register(at target: Core, insteadOf former: Adoption? = nil, _ turn: Turn) {
    target.lock.lock()
    let outcome = target.outcome
    let isOver = isOver
    if outcome != nil {
      target.flags.insert(.observed)
    } else if !isOver {
      target.addObserver(self, turn)
      target.removeLink(former, turn)
    }
    target.lock.unlock()
    if isOver { return withdraw(from: target, insteadOf: former, turn) }
    if let outcome { settled(target, with: outcome, turn) }
  }

  override func settled(_ target: Core, with outcome: Outcome, _ turn: Turn) {
    let (isCancelled, isUnfinished) = target.lock.with {
      (target.flags.contains(.cancelled), target.isUnfinished)
    }
    var wait: FinishedWait?
    lock.lock()
    if let follower {
      if isUnfinished { wait = follower.addUnfinishedWait(turn) }
      follower.hold()
      // If the promise that a `finally` body returned was cancelled, the follower is rejected, not cancelled.
      follower.settle(
        outcome.isFulfilled ? original ?? outcome : outcome, byRequest: isCancelled && original == nil,
        from: self, turn)
      follower.drop(turn)
    } else {
      wait = self.wait.take()
    }
    lock.unlock()
    wait?.start(at: target, turn)
  }

  /// Removes this link from the target. The follower withdraws if it was cancelled or is unwanted.
  func leaveTarget(_ turn: Turn) {
    place.lock()
    let found = target.flatMap { $0.isSettled ? nil : $0 }
    if let found {
      found.hold()
      // A failure of clean-up has no effect, and is not lost.
      if !withdraws { found.flags.insert(.observed) }
      found.remove(self, unwanted: withdrawal, turn)
    } else {
      // The link was not registered yet, or the target has settled, or another link takes its place.
      isOver = true
    }
    place.unlock()
    guard let found else { return }
    startWait(at: found, turn)
    place.with { found.drop(turn) }
  }

  /// Withdraws from a target for the follower, which has left before a link was registered there.
  private func withdraw(from target: Core, insteadOf former: Adoption?, _ turn: Turn) {
    target.lock.with {
      target.changeDemand(unwanted: withdrawal, turn)
      target.removeLink(former, turn)
    }
    startWait(at: target, turn)
  }

  private func startWait(at target: Core, _ turn: Turn) {
    guard let wait = lock.with({ self.wait.take() }) else { return }
    let isGivenUp = target.lock.with { target.isUnneeded }
    wait.start(at: target, if: isGivenUp || !withdraws, turn)
  }

  /// Makes the follower follow `next`. If it has left, it withdraws from `next`.
  fileprivate func move(to next: Promise, insteadOf former: Adoption?, _ turn: Turn) {
    lock.lock()
    guard let follower else {
      lock.unlock()
      return withdraw(from: next.core, insteadOf: former, turn)
    }
    let adoption = Adoption(follower, instead: original, withdraws: withdraws, at: next.core.lock)
    turn.release(follower.takeAdoption())
    follower.set(adoption: adoption)
    self.follower = nil
    follower.hold()
    lock.unlock()
    next.core.lock.with { _ = next.core.flags.insert(.followed) }
    adoption.register(at: next.core, insteadOf: former, turn)
    follower.rejectIfCycle(from: next.core, turn)
    lock.with { follower.drop(turn) }
  }

  deinit {
    guard let wait else { return }
    let turn = Turn.current
    wait.end(turn)
    turn.drain()
  }
}

// Called with nothing locked; the caller has a hold.
extension Core {
  /// Makes this promise follow `other`. The first resolution wins. If this promise was cancelled before, it
  /// still withdraws from `other`, so the order of a cancel and this call makes no difference.
  ///
  /// - Parameters:
  ///   - original: For `finally` and `tap`: the outcome to settle with when `other` is fulfilled.
  ///   - withdraws: Whether this promise withdraws from `other` if it is cancelled.
  ///   - forThenable: Whether a thenable that this promise follows has resolved it with `other`.
  @discardableResult
  func follow(
    _ other: Promise, instead original: Outcome? = nil, withdraws: Bool = true, forThenable: Bool = false,
    _ turn: Turn
  ) -> Bool {
    let isStill = { (core: Core) in forThenable ? core.phase == .followingThenable : core.phase.isUnresolved }
    if other.core == self { return rejectWithCycle(isStill, turn) }
    let (known, isCancelled, isUnfinished) = other.core.readOutcomeForFollower()
    lock.lock()
    guard isStill(self) else {
      // The reason of the cancel, if this is the first resolution: only a cancel can have come before.
      let isFirst = forThenable || flags.remove(.awaitsResolution) != nil
      let reason = isFirst ? reasonIfRejected : nil
      // A `finally` waits for the promise that its body returned, even if its child was cancelled.
      let wait = original != nil || (reason != nil && withdraws) ? addUnfinishedWait(turn) : nil
      lock.unlock()
      other.markObserved()
      if let reason, withdraws {
        wait?.start(at: other.core, if: other.core.withdraw(reason, turn), turn)
      } else {
        wait?.start(at: other.core, turn)
      }
      return false
    }
    noteFollowing(other.core)
    if let known {
      let wait = isUnfinished ? addUnfinishedWait(turn) : nil
      settle(known.isFulfilled ? original ?? known : known, byRequest: isCancelled && original == nil, turn)
      lock.unlock()
      wait?.start(at: other.core, turn)
      return true
    }
    let adoption = Adoption(self, instead: original, withdraws: withdraws, at: other.core.lock)
    releaseAbandonHooks(turn)
    phase = .following
    set(adoption: adoption)
    if kind.contains(.step), up != nil { dropSome() }
    lock.unlock()
    adoption.register(at: other.core, turn)
    rejectIfCycle(from: other.core, turn)
    return true
  }

  /// Rejects this promise, which follows `start`, if the chain of targets leads back to it. Only a promise
  /// that is followed itself can close a cycle.
  ///
  /// If several promises close a cycle together, the walk of the promise whose link is registered last finds
  /// all links of the cycle, because each link is registered before the walk. The flag `followed` of that
  /// promise is set by then, because a follower sets the flag of its target before its link is registered.
  fileprivate func rejectIfCycle(from start: Core, _ turn: Turn) {
    guard lock.with({ flags.contains(.followed) }) else { return }
    var next = start.lock.with { start.phase == .following ? start.adoption : nil }
    var (landmark, count) = (next, 0)
    while let link = next {
      turn.release(link)
      link.place.lock()
      let target = link.target
      if target == self {
        link.place.unlock()
        _ = rejectWithCycle({ $0.phase == .following }, turn)
        return
      }
      next = target.flatMap { $0.phase == .following ? $0.adoption : nil }
      link.place.unlock()
      // The other promises form a cycle, and one of these promises is about to find it.
      if next === landmark { return }
      count += 1
      if count & (count - 1) == 0 { landmark = next }
    }
  }

  private func rejectWithCycle(_ isStill: (Core) -> Bool, _ turn: Turn) -> Bool {
    lock.with {
      let isFirst = isStill(self)
      if isFirst { settle(reason: PromiseError.cycle, turn) } else { flags.remove(.awaitsResolution) }
      return isFirst
    }
  }

  /// Reads the outcome for a follower, and marks this promise as observed and followed.
  func readOutcomeForFollower() -> (Outcome?, isCancelled: Bool, isUnfinished: Bool) {
    lock.with {
      flags.formUnion(isSettled ? [.observed, .followed] : .followed)
      return (outcome, flags.contains(.cancelled), isUnfinished)
    }
  }

  /// Makes the followers in `observers`, which this promise had, follow its target. Drops a hold.
  func move(_ observers: ObserverList, _ turn: Turn) {
    // A follower whose target has just settled is about to settle, so its followers return to it.
    let link = lock.with { phase == .following ? adoption : nil }
    let next = link?.targetPromise ?? heldPromise(turn)
    defer { turn.release(next) }
    // If this frees the promise, its last follower takes its place, so that it does not look like a consumer.
    let freed = lock.with { (holds == 1 ? link : nil, drop(turn)).0 }
    var rest = observers.followers
    observers.forEach {
      rest -= 1
      ($0 as? Adoption)?.move(to: next, insteadOf: rest == 0 ? freed : nil, turn)
    }
    observers.dissolve { turn.release($0) }
    if let link { turn.release(link) }
  }

  /// The handle of this promise, on which the caller has a hold. The turn releases it, because this may be
  /// the last reference.
  func heldPromise(_ turn: Turn) -> Promise {
    let promise = lock.with { self.promise() }
    turn.release(promise)
    return promise
  }
}

// Called with the lock held.
extension Core {
  /// Removes the link of a freed follower.
  fileprivate func removeLink(_ link: Adoption?, _ turn: Turn) {
    if let link, link.target == self, !isSettled { remove(link, unwanted: nil, turn) }
  }

  /// Called when the promise is resolved.
  func releaseAbandonHooks(_ turn: Turn) {
    guard let side, !side.abandonHooks.isEmpty else { return }
    turn.release(side.abandonHooks)
    side.abandonHooks = []
  }

  /// Drops the hold of a handle or job. If only its followers need this follower now, they follow its target,
  /// and this promise is freed.
  func dropOrSkip(_ turn: Turn) {
    if holds == 1 { return drop(turn) }
    dropSome()
    if phase == .following, isOnlyFollowed { skip(turn) }
  }

  /// Whether nothing but its followers needs this follower: no handle, child, hook, job or other observer,
  /// and no ancestor that could cancel it.
  private var isOnlyFollowed: Bool {
    guard let side, side.observers.hasOnlyFollowers, side.cancelHooks.isEmpty, side.reason == nil,
      !side.hasWork, source == .none, firstWaiting == nil, firstChild == nil,
      !flags.contains(.cancelsWhenUnwanted), adoption.original == nil
    else { return false }
    let followers = side.observers.followers
    guard let parent = up else { return holds == followers }
    // A step belongs to its series. Another child has a hold on itself.
    return !kind.contains(.step) && holds == followers + 1 && parent.holds == 1 && parent.up == nil
      && parent.firstWaiting == nil && parent.firstChild == self && next == nil
  }

  @inline(never)
  private func skip(_ turn: Turn) {
    guard let side else { return }
    var observers = ObserverList()
    swap(&observers, &side.observers)
    observers.forEach { $0.target = nil }
    // The holds of the followers end, and that of the step begins.
    hold()
    dropSome(observers.followers)
    turn.add(.skip(observers, self))
    // The hold of a child on its parent, and that on itself, end.
    guard let parent = up else { return }
    parent.remove(self)
    up = nil
    parent.drop(turn)
    dropSome()
  }
}

extension Adoption {
  /// The target's handle, unless this link is not registered, or was notified.
  var targetPromise: Promise? { place.with { target?.promise() } }
}
