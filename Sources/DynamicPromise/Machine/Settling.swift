// The settling machine. This file: vocabulary, states, who frees what, and the one transition into a settled state.
// Beside it: `State` (bits, slot), `Resolving` ([[Resolve]]), `Adopting`, `Cancelling`, `Dispatching` (continuations to
// contexts), `Lineage` and `Enrolment` (the tree), `Agenda` (the work list), `Cold` (rare fields), `Sync` (the lock).
//
// VOCABULARY. A promise is *resolved* when its fate is sealed, *settled* when it has an outcome; in between it is
// *locked in*. It is *told* when it was cancelled by a message (C2). A *continuation* is a child (made by `then`; the
// child object is the node and holds the handlers) or an *observer* (an adopter, a race, a waiting thread).
// To *hand over* a child is to give its job to its context.
//
//                    resolve(promise or thenable)
//     ┌────────────┐ ──────────────────────────▶ ┌───────────┐
//     │ unresolved │                             │ locked in │
//     └────────────┘                             └───────────┘
//        │   │  fulfill, reject, resolve(value),     │   │ the adopted promise settled,
//        │   │  the handler returned or threw        │   │ the thenable called back
//        │   ▼                                       │   ▼
//        │ ┌──────────────────────┐ ◀────────────────┼───┘        draining: the continuations that were there are
//        │ │ fulfilled | rejected │                  │            handed over, oldest first; late ones only append
//        │ └──────────────────────┘                  │            (A4). Then the list is empty and late ones start
//        │ cancel                                    │ cancel     to drain themselves.
//        ▼                                           ▼
//      ┌───────────────────────────────────────────────┐
//      │ rejected + told                               │
//      └───────────────────────────────────────────────┘
//
// A child moves on its own track at the same time, until it is settled:
//
//     waiting (in the parent's `waiting`) ─▶ handed over (in `active`) ─▶ started ─▶ returned: resolves as above
//        └── no handler for this outcome: settles like the parent, without a context
//     Cancelled before it has started, its handler is withdrawn (C9); under a told parent it is cancelled instead of
//     resolved when its handler returns, and at once if it has none for a rejection (C2).
//
// WHO HOLDS WHOM.
//     parent ─▶ child      while the child waits (L1: this cycle keeps both, nobody else need hold either)
//     job ─▶ child         from hand-over until the handler has returned
//     child ─▶ parent      while the child is pending; then a link, see Lineage
//     adopter ─▶ adopted   while locked in
//     adopted ─▶ adopter   so that a discarded `login().then { upload() }` is followed through; unless other
//                          adopters of the adopter have moved on to the adopted promise: then they represent it
//     observer ─▶ promise  while undecided
//     resolver ─▶ promise  never (L2)
// WHO FREES WHAT. Settling frees handlers, the adopted promise, hooks and the parent; handing over frees the parent's
// hold on the child. What was freed under a lock is released after it (`Debris`). Release, like everything else here,
// goes along work lists and never recurses (L4).
//
// FIELDS. `slot`, `up`, `waiting*`, `active`, `cold` belong to the promise's lock; `place`, `previous`, `next` to the lock
// of the list that the promise stands in. A settled promise's `slot` is constant and read without the lock.

extension Promise {
  /// The transition into a settled state. Called with the lock held and the promise not settled; gives the lock back.
  /// `outcome` holds `.value` or `.reason`; `settled` has the state and, if cancelled by message, the `told` bit.
  func finish(_ bits: UInt, _ outcome: Slot, _ settled: UInt, _ agenda: inout Agenda) {
    var debris = Debris()
    var now = bits & ~State.mask | settled
    swap(&debris.slot, &slot)
    slot = outcome
    let isTold = settled & State.told != 0
    if isTold, State.isUnresolved(bits) { now |= State.forwardsLate }
    let withdrawn = cold?.withdraw()
    var below: [Descendant] = []
    if isTold {
      if hasActive { agenda.walk() }
      collectActive(&below)
    }
    let hasContinuations = waitingHead != nil || withdrawn?.hasObservers == true
    if hasContinuations { now |= State.draining }
    leaveParent(&now, isActive: hasChildren, &debris)
    noteSettled(now)
    word.unlock(now)

    if isTold, case .reason(let reason) = outcome {
      withdrawn?.tell(reason)
      if case .target(let adopted) = debris.slot { agenda.add(.cancel(.promise(adopted), reason)) }
      if case .handlers(let handlers) = debris.slot, now & State.isFinally != 0 {
        context.runDetached(handlers, reason)
      }
      for descendant in below { agenda.add(.cancel(descendant, reason)) }
    }
    if hasContinuations { agenda.add(.dispatch(.passRetained(self))) }
    withExtendedLifetime(withdrawn) {}
    debris.clear()
  }

  /// Settles an unresolved promise; otherwise does nothing. First settlement wins.
  func settle(_ outcome: Outcome, _ agenda: inout Agenda) {
    var bits = word.lock()
    guard State.isUnresolved(bits) else { return word.unlock(bits & ~State.forwardsLate) }
    let displaced = displaceHandlers(&bits, &agenda)
    finish(bits, outcome.slot, outcome.bits, &agenda)
    displaced?.release()
  }

  /// Settles a promise that is locked in; otherwise does nothing.
  func settleLockedIn(_ outcome: Slot, _ settled: UInt, _ agenda: inout Agenda) {
    let bits = word.lock()
    guard bits & State.mask == State.lockedIn else { return word.unlock(bits) }
    finish(bits, outcome, settled, &agenda)
  }

  /// Rejects with `broken` if nobody has resolved the promise: whoever could have is gone (L2).
  func breakUnresolved() {
    var agenda = Agenda()
    settle(.rejected(PromiseError.brokenAt(origin)), &agenda)
    agenda.run()
  }

  /// Notes that somebody has seen, or will see, the outcome (L5).
  func markObserved() {
    guard word.peek() & State.observed == 0 else { return }
    let bits = word.lock()
    word.unlock(bits | State.observed)
  }

  /// A child that is resolved by hand while its handlers wait: the handlers are still owed to the parent (2.2.2, 2.2.3),
  /// so they go on under an anonymous child in the same place. The promise is locked, and held by whoever resolves it: until
  /// it has settled, or stands by its link, it stays where a cancellation of the parent finds it. One that has passed there
  /// already, and would find the heir only, is sent after the promise.
  func displaceHandlers(_ bits: inout UInt, _ agenda: inout Agenda) -> Unmanaged<Promise>? {
    guard case .handlers = slot, case .parent(let held) = up else { return nil }
    // Its outcome is nobody's: what the handlers come to is ignored like any second resolution, and no loss.
    let kind = bits & (State.handlesValue | State.handlesReason | State.isFinally) | State.observed
    let heir = Promise(
      bits: kind, slot: .nothing, up: .parent(held.retain()), context: context, defaultContext: defaultContext
    )
    swap(&heir.slot, &slot)
    let parent = held.takeUnretainedValue()
    let parentBits = parent.word.lock()
    var formerHold: Unmanaged<Promise>?
    switch place {
    case .waiting:
      formerHold = parent.replaceWaiting(self, with: heir)
      heir.place = .waiting
      Entry.promise(.passUnretained(self)).push(to: &parent.active)
      place = .active
    case .active:
      Entry.promise(.passUnretained(heir)).push(to: &parent.active)
      heir.place = .active
      coldFields.displaced = heir
    case .none, .link: break
    }
    if parentBits & State.told != 0, let reason = parent.slot.error {
      agenda.add(.cancel(.promise(self), reason))
    }
    parent.word.unlock(parentBits)
    return formerHold
  }

  /// Whether `collectActive` may find something. The promise is locked.
  var hasActive: Bool { active != nil || cold?.link != nil }

  /// Strong references to what stands below other than waiting children, for a cancellation. The promise is locked.
  func collectActive(_ walk: inout [Descendant]) {
    Entry.collect(from: active, into: &walk)
    if let link = cold?.link {
      let linkBits = link.word.lock()
      Entry.collect(from: link.active, into: &walk)
      link.word.unlock(linkBits)
    }
  }

  /// The last reference is gone. Runs in `deinit`.
  func retire() {
    Diagnosis.tell { $0.gone(ObjectIdentifier(self)) }
    let bits = word.peek()
    if bits & State.labelled != 0 { forgetLabel() }
    if State.isSettled(bits) {
      if let link = cold?.link { bury(link) }
      if case .link(let above) = up { above.release() }
      _ = cold?.fate?.close(abandoned: false)
      if bits & (State.mask | State.observed) == State.rejected { reportLoss(bits) }
      return
    }
    leaveTarget()
    var debris = Debris()
    var now = bits
    leaveParent(&now, isActive: false, &debris)
    if case .link(let above) = up { debris.add(above.takeRetainedValue()) }
    up = .none
    if let link = cold?.link { bury(link) }
    if let cold {
      let isAbandoned = State.isUnresolved(bits)
      let late = cold.fate?.close(abandoned: isAbandoned) ?? []
      let hooks = cold.abandonHooks
      cold.abandonHooks = []
      if isAbandoned { for hook in hooks + late { hook() } }
    }
    if let parent = debris.takePromise() { Releaser.release(parent) }
    if let adopted = takeTarget() { Releaser.release(adopted) }
    debris.clear()
  }
}

extension Promise {
  /// From now on the link only forwards, and only as long as something below it is pending.
  private func bury(_ link: Link) {
    var debris = Debris()
    Link.balance(link, link.word.lock() | Link.dead, &debris)
    debris.clear()
  }

  private func leaveTarget() {
    if case .target(let target) = slot, let node = cold?.adoption { target.forget(node) }
  }

  private func takeTarget() -> Unmanaged<Promise>? {
    guard case .target(let target) = slot else { return nil }
    let reference = Unmanaged.passRetained(target)
    slot = .nothing
    return reference
  }
}

extension Slot {
  var error: (any Error)? {
    if case .reason(let reason) = self { reason } else { nil }
  }
}
