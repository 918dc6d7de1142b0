// Adoption: one promise, the *adopter*, follows another promise, the *target*, perhaps in another tree. An
// `Adoption` links the two promises and observes the target, because two trees are never locked at once.
//
// OWNERSHIP. An adoption refers to both promises weakly. An unresolved target retains itself for its
// adopters. A child that follows and has no adopters also retains itself (`Tree/Holding.swift`). An adopter
// with adopters may be freed earlier; its adopters then follow its target (`relink`). A loop whose handlers
// return the next round's promise therefore has only two promises at a time.
//
// Two threads may free both ends of a link at the same time. Each end then finds that the other end was
// freed. The first thread stores `orphans` or `successor` in the link, for the second thread.

/// The link from an adopter to its target: an observer of the target.
final class Adoption: Observer {
  private weak var adopter: Promise?
  /// The lock of the adopter's tree.
  private let lock: TreeLock
  /// For a `finally`: the outcome with which the adopter settles when the target is fulfilled.
  private let original: Outcome?
  private let withdraws: Bool

  // Guarded by `lock`.
  private weak var target: Promise?
  /// A promise farther along the chain of targets: a shortcut for the cycle search. It skips only resolved
  /// promises.
  private weak var farther: Promise?
  /// The adopters of an adopter that was freed after its target. They follow the successor.
  private var orphans: [Adoption] = []
  /// The promise that the freed target followed, if the adopter had been freed or cancelled before. The
  /// orphans follow the successor, and the adopter withdraws from it.
  private var successor: Promise?
  /// The reason with which the adopter withdraws from the successor, if it left after the target was freed.
  private var withdrawal: (any Error)?
  /// The wait of a cancelled adopter until its target is finished. It starts when the adopter withdraws.
  private var wait: FinishedWait?

  /// Whether the adopter has stopped following, perhaps before this observer was registered. Guarded by the
  /// target's lock.
  private var isOver = false

  init(_ adopter: Promise, of target: Promise, instead original: Outcome?, withdraws: Bool) {
    self.adopter = adopter
    lock = adopter.lock
    self.target = target
    self.original = original
    self.withdraws = withdraws
    super.init(isConsumer: true)
  }

  /// Whether the adopter always settles with the target's outcome. If so, its own adopters may follow the
  /// target instead.
  var passesAnyOutcomeOn: Bool { original == nil }

  // MARK: The target's side

  /// Observes the target. If the target has settled, the adopter settles at once.
  fileprivate func register(at target: Promise, _ turn: Turn) {
    target.lock.lock()
    let outcome = target.state.outcome
    if outcome != nil { target.flags.insert(.observed) } else if !isOver { target.addObserver(self, turn) }
    target.lock.unlock()
    if let outcome { settled(target, with: outcome, turn) }
  }

  override func settled(_ target: Promise, with outcome: Outcome, _ turn: Turn) {
    // If the adopter is being freed, its own adopters follow the target.
    guard let adopter else { return relink(to: target, turn) }
    let (isCancelled, isUnfinished) = target.lock.with {
      (target.flags.contains(.cancelled), target.isUnfinished)
    }
    var wait: FinishedWait?
    lock.lock()
    if adopter.isFollowing {
      if isUnfinished { wait = adopter.addUnfinishedWait() }
      let outcome = outcome.isFulfilled ? original ?? outcome : outcome
      turn.inGroup(of: isCancelled ? adopter : nil) {
        turn.note(adopter, after: target)
        // If the promise that a `finally` body returned was cancelled, the adopter is rejected, not
        // cancelled.
        adopter.settle(outcome, byRequest: isCancelled && original == nil, from: self, turn)
      }
    }
    lock.unlock()
    wait?.start(at: target, turn)
    turn.release(adopter)
  }

  /// Makes the adopter follow `next`, the promise that its freed target had followed. If the adopter no
  /// longer follows, `next` becomes the successor.
  func relink(to next: Promise, _ turn: Turn) {
    lock.lock()
    let adopter = adopter
    let isFollowing = adopter?.isFollowing ?? false
    let mayCloseCycle = adopter?.flags.contains(.followed) ?? false
    let reason = withdrawal
    let left = orphans
    orphans = []
    if isFollowing {
      target = next
      farther = nil
    } else {
      // The adopter was freed, or was cancelled a moment ago and is about to withdraw.
      successor = next
    }
    lock.unlock()
    if let adopter { turn.release(adopter) }
    if isFollowing {
      register(at: next, turn)
      // Searches for a cycle again, because a promise that has begun to follow the adopter meanwhile ended
      // its search at the adopter.
      if mayCloseCycle { adopter?.rejectIfCycle(self, from: next, turn) }
      return
    }
    if !left.isEmpty { turn.add(.relink(left, next)) }
    // This step is added last, so that `next` counts its new adopters before this consumer withdraws.
    if let reason { turn.add(.leave(self, reason)) }
  }

  // MARK: The adopter's side

  /// Adds the wait for the target to the adopter's unfinished work. Called with the adopter's lock held, just
  /// before the adopter is cancelled.
  func addUnfinishedWork(of adopter: Promise) {
    if withdraws || original != nil { wait = adopter.addUnfinishedWait() }
  }

  /// Stops observing the target. If `reason` is given, the adopter withdraws from the target. The child of a
  /// `finally` does not withdraw: it waits for the promise that the body returned.
  func withdraw(_ reason: (any Error)?, _ turn: Turn) {
    lock.lock()
    let target = target ?? successor
    if target == nil, withdraws { withdrawal = reason }
    let wait = target == nil ? nil : wait.take()
    lock.unlock()
    guard let target else { return }
    if reason != nil, let adopter {
      turn.note(adopter, after: target)
      turn.release(adopter)
    }
    target.lock.lock()
    isOver = true
    target.leave(self, unwanted: withdraws ? reason : nil, turn)
    let isAwaited = target.isGivenUp || !withdraws
    target.lock.unlock()
    wait?.start(at: target, if: isAwaited, turn)
    turn.release(target)
  }

  deinit {
    guard let wait else { return }
    let turn = Turn.current
    wait.end(turn)
    turn.drain()
  }

  /// Makes the adopters of the adopter, which is being freed, follow the target. `reason` is set if a
  /// consumer has withdrawn from the adopter. If so, the target is marked as unwanted, because its last
  /// consumer may leave without a reason. The adopter's tree is locked.
  func adopterIsFreed(leaving adopters: [Adoption], unwanted reason: (any Error)?, _ turn: Turn) {
    if let next = target ?? successor {
      if !adopters.isEmpty { turn.add(.relink(adopters, next)) }
      turn.release(next)
      turn.add(.leave(self, reason))
    } else {
      orphans = adopters
      if withdraws { withdrawal = reason }
    }
  }

  /// Whether a cancel of `ancestor` also cancels the adopter. Called with the lock of `tree` held.
  func adopterIsBelow(_ ancestor: TreeNode, in tree: TreeLock, _ released: inout [Promise]) -> Bool {
    guard lock == tree, let adopter else { return false }
    released.append(adopter)
    // A wrong `false` costs only memory: the followed promise retains itself.
    return adopter.node?.isBelow(ancestor) ?? false
  }

  /// The target, unless it was just freed.
  var followed: Promise? { lock.with { target } }

  // MARK: Cycles

  /// The target of `promise`, or a promise farther along the chain, and the link; `nil` if `promise` has no
  /// target.
  fileprivate static func next(after promise: Promise) -> (promise: Promise, by: Adoption)? {
    promise.lock.lock()
    var found: (Promise, Adoption)?
    if case .following(let adoption) = promise.state {
      if let next = adoption.farther ?? adoption.target { found = (next, adoption) }
    }
    promise.lock.unlock()
    return found
  }

  fileprivate func remember(_ farther: Promise) {
    lock.lock()
    self.farther = farther
    lock.unlock()
  }
}

extension Promise {
  /// Makes this promise follow `other`. The first resolution wins. If this promise was cancelled before, it
  /// still withdraws from `other`, so the order of a cancel and this call makes no difference.
  ///
  /// - Parameters:
  ///   - original: For `finally`: the outcome to settle with when `other` is fulfilled.
  @discardableResult
  func adopt(
    _ other: Promise, instead original: Outcome? = nil, withdraws: Bool = true, _ turn: Turn
  ) -> Bool {
    follow(
      other, instead: original, withdraws: withdraws, isStill: { $0.isUnresolved },
      else: { $0.remove(.awaitsResolution) != nil }, turn)
  }

  /// Makes this promise, which follows a thenable, follow `other`. The thenable has resolved this promise
  /// with `other`.
  func adoptForThenable(_ other: Promise, _ turn: Turn) -> Bool {
    follow(
      other, instead: nil, withdraws: true,
      isStill: { if case .followingThenable = $0 { true } else { false } }, else: { _ in true }, turn)
  }

  @discardableResult
  private func follow(
    _ other: Promise, instead original: Outcome?, withdraws: Bool,
    isStill: (State) -> Bool, else isFirst: (inout Flags) -> Bool, _ turn: Turn
  ) -> Bool {
    if other === self { return rejectWithCycle(isStill, turn) }
    let (known, isCancelled, isUnfinished) = other.readOutcomeForFollower()
    lock.lock()
    guard isStill(state) else {
      // The reason of the cancel, if this is the first resolution: only a cancel can have settled the
      // promise.
      let reason = isFirst(&flags) ? state.reason : nil
      // A `finally` waits for the promise that its body returned, even if its child was cancelled.
      let wait = original != nil || (reason != nil && withdraws) ? addUnfinishedWait() : nil
      lock.unlock()
      if let reason, withdraws {
        wait?.start(at: other, if: other.withdraw(reason, turn), turn)
      } else {
        wait?.start(at: other, turn)
      }
      return false
    }
    if let known {
      let wait = isUnfinished ? addUnfinishedWait() : nil
      let outcome = known.isFulfilled ? original ?? known : known
      settle(outcome, byRequest: isCancelled && original == nil, turn)
      lock.unlock()
      wait?.start(at: other, turn)
      noteFollowing(other)
      return true
    }
    let adoption = Adoption(self, of: other, instead: original, withdraws: withdraws)
    beginFollowing(.following(adoption), turn)
    let mayCloseCycle = flags.contains(.followed)
    lock.unlock()
    noteFollowing(other)
    adoption.register(at: other, turn)
    if mayCloseCycle { rejectIfCycle(adoption, from: other, turn) }
    return true
  }

  /// Rejects this promise, which follows `other`, if the chain of targets leads back to this promise.
  fileprivate func rejectIfCycle(_ adoption: Adoption, from other: Promise, _ turn: Turn) {
    guard closesCycle(adoption, from: other, turn) else { return }
    _ = rejectWithCycle({ if case .following = $0 { true } else { false } }, turn)
  }

  /// Whether the chain of targets from `start` on leads back to this promise.
  ///
  /// If several promises close a cycle together, the walk of the promise that begins to follow last finds all
  /// links of the cycle, because each promise begins to follow before its walk. The flag `followed` of that
  /// promise is set by then, because a follower sets the flag of its target before it begins to follow. Each
  /// walk stores shortcuts (path compression).
  private func closesCycle(_ adoption: Adoption, from start: Promise, _ turn: Turn) -> Bool {
    var current = start
    var passed: [Adoption] = []
    var landmark = start
    while let (next, link) = Adoption.next(after: current) {
      turn.release(next)
      if next === self { return true }
      // The other promises form a cycle, and one of these promises is about to find it.
      if next === landmark { return false }
      passed.append(link)
      if passed.count & (passed.count - 1) == 0 { landmark = next }
      current = next
    }
    if current !== start {
      adoption.remember(current)
      for link in passed.dropLast() { link.remember(current) }
    }
    return false
  }

  private func rejectWithCycle(
    _ isStill: (State) -> Bool, _ turn: Turn
  ) -> Bool {
    lock.lock()
    let isFirst = isStill(state)
    if isFirst {
      settle(.rejected(PromiseError.cycle), turn)
    } else {
      flags.remove(.awaitsResolution)
    }
    lock.unlock()
    return isFirst
  }

  /// Reads the outcome for an adopter, and marks this promise as observed and followed.
  func readOutcomeForFollower() -> (Outcome?, isCancelled: Bool, isUnfinished: Bool) {
    lock.lock()
    let outcome = state.outcome
    flags.formUnion(outcome == nil ? .followed : [.observed, .followed])
    let isCancelled = flags.contains(.cancelled)
    let isUnfinished = isUnfinished
    lock.unlock()
    return (outcome, isCancelled, isUnfinished)
  }

  /// Makes an unresolved promise follow a promise or thenable. Called with the lock held.
  func beginFollowing(_ following: State, _ turn: Turn) {
    stopWaiting(turn)
    state = following
    if let side, !side.abandonHooks.isEmpty {
      turn.release(side.abandonHooks as Any)
      side.abandonHooks = []
    }
    updateHolds(turn)
  }

  /// Whether this promise follows another, which it does at most once. Called with the lock held.
  fileprivate var isFollowing: Bool { if case .following = state { true } else { false } }

  /// Whether every cancel of an ancestor also cancels an adopter. Called with the lock held.
  func isBypassed(_ released: inout [Promise]) -> Bool {
    guard let ancestor = node?.up else { return true }
    return side!.observers.hasAdoption {
      $0.adopterIsBelow(ancestor, in: lock, &released)
    }
  }
}
