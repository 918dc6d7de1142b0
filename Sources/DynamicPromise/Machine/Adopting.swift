// Adoption: a promise that follows another one, perhaps in another tree. Two trees are never locked at once,
// so the link is an object of its own, which observes the target.
//
// WHO HOLDS WHOM. Both links are weak. An unresolved target holds itself for its adopters, and the adopter at
// the end of a chain holds itself (`Tree/Holding.swift`). One in the middle need not stay: when it is freed,
// its adopters follow its target instead (`relink`). So of a loop in which each handler returns the next
// round's promise two promises exist at a time, not all.
//
// If both ends of a link are freed at the same time, on two threads, each finds the other freed. The
// first one then leaves in the link what the second needs: `orphans` or `successor`.

/// An adopter among the observers of the promise that it follows.
final class Adoption: Observer {
  private weak var adopter: Promise?
  /// The adopter's.
  private let lock: TreeLock
  /// A `finally` only waits for what its body has returned, and then continues with this.
  private let original: Outcome?
  private let withdraws: Bool

  // Guarded by `lock`.
  private weak var target: Promise?
  /// Somewhere further along the targets, so that the search for a cycle need not visit them all. Skips no
  /// unresolved one.
  private weak var farther: Promise?
  /// The adopter was freed after its target: these adopters follow the target's successor.
  private var orphans: [Adoption] = []
  /// The target was freed after its adopter: the orphans follow this one, and the adopter withdraws from it.
  private var successor: Promise?
  /// The adopter was cancelled, or freed unwanted, after the target was freed: the successor is not wanted.
  private var withdrawal: (any Error)?

  /// The adopter was cancelled, and waits until the target is finished. Started when it withdraws.
  private var wait: FinishedWait?

  /// The adopter has left, perhaps before it was added. Guarded by the target's lock.
  private var isOver = false

  init(_ adopter: Promise, of target: Promise, instead original: Outcome?, withdraws: Bool) {
    self.adopter = adopter
    lock = adopter.lock
    self.target = target
    self.original = original
    self.withdraws = withdraws
    super.init(isConsumer: true)
  }

  /// Whether the adopter's own adopters would come to the same outcome if they followed the target instead.
  var passesAnyOutcomeOn: Bool { original == nil }

  // MARK: The target's side

  /// Observes the target from now on, or settles the adopter at once.
  fileprivate func register(at target: Promise, _ turn: Turn) {
    target.lock.lock()
    target.flags.insert(.observed)
    let outcome = target.state.outcome
    if outcome == nil, !isOver { target.enter(self, turn) }
    target.lock.unlock()
    if let outcome { settled(target, with: outcome, turn) }
  }

  override func settled(_ target: Promise, with outcome: Outcome, _ turn: Turn) {
    // The adopter is being freed: its own adopters want the outcome.
    guard let adopter else { return relink(to: target, turn) }
    let (isCancelled, mayBeUnfinished) = target.lock.with {
      (target.flags.contains(.cancelled), target.mayBeUnfinished)
    }
    let isUnfinished = mayBeUnfinished && target.isUnfinished
    var wait: FinishedWait?
    lock.lock()
    if adopter.isFollowing {
      if isUnfinished { wait = adopter.leaveWait() }
      let outcome = outcome.isFulfilled ? original ?? outcome : outcome
      turn.inGroup(of: isCancelled ? adopter : nil) {
        turn.note(adopter, after: target)
        // What a `finally` has returned is only waited for.
        adopter.settle(outcome, byRequest: isCancelled && original == nil, from: self, turn)
      }
    }
    lock.unlock()
    wait?.start(at: target, turn)
    turn.release(adopter)
  }

  /// The target was freed, because only adopters wanted it, and has followed `next`.
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
      // A promise that has followed the adopter meanwhile found no target to walk on to.
      if mayCloseCycle { adopter?.rejectIfCycle(self, from: next, turn) }
      return
    }
    if !left.isEmpty { turn.add(.relink(left, next)) }
    // After the adopters that do want it.
    if let reason { turn.add(.leave(self, reason)) }
  }

  // MARK: The adopter's side

  /// The adopter is about to be cancelled. Called with its lock held.
  func leaveWork(of adopter: Promise) {
    if withdraws || original != nil { wait = adopter.leaveWait() }
  }

  /// The adopter does not follow any more. With a reason it withdraws: it does not want the target. What a
  /// `finally` has returned is waited for all the same.
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

  /// The adopter is freed: in its `deinit`, with the tree locked. Its own adopters follow its target. If a
  /// consumer has withdrawn from the adopter, the target is marked, because the last consumer may leave
  /// without a reason.
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

  /// Whether a request to cancel that comes from `ancestor` reaches the adopter, too. With the lock of that
  /// tree held.
  func adopterStands(below ancestor: TreeNode, in tree: TreeLock, _ released: inout [Promise]) -> Bool {
    guard lock == tree, let adopter else { return false }
    released.append(adopter)
    // A wrong no costs memory only.
    return adopter.node?.stands(below: ancestor) ?? false
  }

  /// What the adopter follows, if that was not just freed.
  var followed: Promise? { lock.with { target } }

  // MARK: Cycles

  /// The next promise along the targets of `promise`; `nil` at the end.
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
  /// Resolves this promise with another one: follows it. The first resolution wins. One that was cancelled
  /// before withdraws all the same, so that it makes no difference which came first.
  ///
  /// - Parameters:
  ///   - original: What to settle with when `other` is fulfilled, for `finally`.
  ///   - afterRun: This promise's handler has returned `other`.
  @discardableResult
  func adopt(
    _ other: Promise, instead original: Outcome? = nil, withdraws: Bool = true, afterRun: Bool = false,
    _ turn: Turn
  ) -> Bool {
    follow(
      other, instead: original, withdraws: withdraws, afterRun: afterRun, isStill: { $0.isUnresolved },
      else: { $0.remove(.awaitsResolution) != nil }, turn)
  }

  /// The same for a thenable that this promise follows and that was resolved with a promise.
  func adoptForThenable(_ other: Promise, _ turn: Turn) -> Bool {
    follow(
      other, instead: nil, withdraws: true, afterRun: false,
      isStill: { if case .followingThenable = $0 { true } else { false } }, else: { _ in true }, turn)
  }

  @discardableResult
  private func follow(
    _ other: Promise, instead original: Outcome?, withdraws: Bool, afterRun: Bool,
    isStill: (State) -> Bool, else isFirst: (inout Flags) -> Bool, _ turn: Turn
  ) -> Bool {
    if other === self { return rejectWithCycle(isStill, afterRun: afterRun, turn) }
    let (known, isCancelled, mayBeUnfinished) = other.lookAtOutcome()
    let isUnfinished = mayBeUnfinished && other.isUnfinished
    lock.lock()
    guard isStill(state) else {
      // Only a cancel comes before the first resolution.
      let reason = isFirst(&flags) ? state.reason : nil
      // What a `finally` has returned is waited for, also if its child was settled by hand.
      let wait = original != nil || (reason != nil && withdraws) ? leaveWait() : nil
      lock.unlock()
      if let reason, withdraws {
        wait?.start(at: other, if: other.withdraw(reason, turn), turn)
      } else {
        wait?.start(at: other, turn)
      }
      return false
    }
    if let known {
      let wait = isUnfinished ? leaveWait() : nil
      let outcome = known.isFulfilled ? original ?? known : known
      settleUnresolved(outcome, byRequest: isCancelled && original == nil, afterRun: afterRun, turn)
      lock.unlock()
      wait?.start(at: other, turn)
      noteFollowing(other)
      return true
    }
    if !afterRun { leaveHandler() }
    displaceHandler(turn)
    let adoption = Adoption(self, of: other, instead: original, withdraws: withdraws)
    lockIn(.following(adoption), turn)
    let mayCloseCycle = flags.contains(.followed)
    lock.unlock()
    noteFollowing(other)
    adoption.register(at: other, turn)
    if mayCloseCycle { rejectIfCycle(adoption, from: other, turn) }
    return true
  }

  /// Rejects this promise, which follows `other`, if that leads back to it.
  fileprivate func rejectIfCycle(_ adoption: Adoption, from other: Promise, _ turn: Turn) {
    guard closesCycle(adoption, from: other) else { return }
    _ = rejectWithCycle({ if case .following = $0 { true } else { false } }, afterRun: false, turn)
  }

  /// Whether the targets from `start` on lead back here. This promise was locked in before, so of several
  /// promises that close a cycle together the last one sees all others. It also sees that it is `followed`:
  /// the one before it said so first, and was locked in then. Each walk stores shortcuts (path compression).
  private func closesCycle(_ adoption: Adoption, from start: Promise) -> Bool {
    var current = start
    var passed: [Adoption] = []
    var landmark = start
    while let (next, link) = Adoption.next(after: current) {
      if next === self { return true }
      // A cycle of other promises; one of them is about to find it.
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
    _ isStill: (State) -> Bool, afterRun: Bool, _ turn: Turn
  ) -> Bool {
    lock.lock()
    let isFirst = isStill(state)
    if isFirst {
      settleUnresolved(.rejected(PromiseError.cycle), afterRun: afterRun, turn)
    } else {
      flags.remove(.awaitsResolution)
    }
    lock.unlock()
    return isFirst
  }

  /// The outcome, for an adopter, which counts as observing it. Without one the adopter is about to follow.
  func lookAtOutcome() -> (Outcome?, isCancelled: Bool, mayBeUnfinished: Bool) {
    lock.lock()
    flags.formUnion([.observed, .followed])
    let outcome = state.outcome
    let isCancelled = flags.contains(.cancelled)
    let mayBeUnfinished = mayBeUnfinished
    lock.unlock()
    return (outcome, isCancelled, mayBeUnfinished)
  }

  /// An unresolved promise is resolved with something that has no outcome yet. Called with the lock held.
  func lockIn(_ following: State, _ turn: Turn) {
    passCancelFromAbove(turn)
    stopWaiting(turn)
    state = following
    if let side, !side.abandonHooks.isEmpty {
      turn.release(side.abandonHooks as Any)
      side.abandonHooks = []
    }
    updateHolds(turn)
  }

  /// Whether this promise still follows another one: by the one adoption of its life. Called with the lock
  /// held.
  fileprivate var isFollowing: Bool { if case .following = state { true } else { false } }

  /// Whether every request to cancel that could come from above reaches an adopter, too. Called with the lock
  /// held.
  func isBypassed(_ released: inout [Promise]) -> Bool {
    guard let ancestor = node?.up else { return true }
    return side!.observers.hasAdoption {
      $0.adopterStands(below: ancestor, in: lock, &released)
    }
  }
}
