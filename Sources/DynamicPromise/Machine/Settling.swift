// The settling machine. This file: vocabulary, states, who frees what, and the one transition into a settled state.
// Beside it: `State` (bits), `Store` (contents), `Direct` and `Handling` (handlers), `Resolving` ([[Resolve]]), `Adopting`,
// `Cancelling`, `Dispatching` (continuations to contexts), `Running` (their handlers), `Starting` (those that need not wait), `Leaves` (those whose
// promise nobody holds), `Lineage`, `Lists` and `Enrolment` (the
// tree), `Faint` (references that keep nothing), `Agenda` (the work list),
// `Cold` (rare fields), `Observers`, `Sync` (the lock).
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
//     child ─▶ parent      while the child is pending; then a place among its descendants, see Lineage
//     parent ─▶ itself     in place of one child: where the parent waits itself, or runs, the list or the job that holds it stands for that child, too
//                          (`carries`); once the parent is settled the child holds it itself
//     neither              while a child's handler runs inside the call that has made it: the caller holds the parent, the call
//                          the child (`Starting`); what is pending afterwards is held as above
//     adopter ─▶ adopted   while locked in
//     adopted ─▶ adopter   so that a discarded `login().then { upload() }` is followed through; unless other
//                          adopters of the adopter have moved on to the adopted promise: then they represent it
//     observer ─▶ promise  while undecided
//     resolver ─▶ promise  never (L2)
// WHO FREES WHAT. Settling frees handlers, the adopted promise, hooks and the parent; handing over frees the parent's
// hold on the child. What was freed under a lock is released after it (`Debris`). Release, like everything else here,
// goes along work lists and never recurses (L4).
//
// FIELDS. `store`, `up`, `waiting`, `below`, `rare` belong to the promise's lock; `position`, `next` to the lock of
// the promise in whose list it stands. A settled promise's `store` is constant and read without the lock.

extension Promise {
  /// The transition into a settled state. Called with the lock held and the promise not settled; gives the lock back.
  /// `outcome` is moved in; `settled` has the state and, if cancelled by message, the `told` bit.
  func finish(_ bits: UInt, _ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    finishHere(bits, outcome, settled, &agenda)
  }

  /// The same, where calls count.
  @inline(__always)
  private func finishHere(_ bits: UInt, _ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    if rare.cold != nil || bits & (State.hasHandlers | State.hasTarget) != 0 || settled & State.told != 0 {
      return finishWithMore(bits, outcome, settled, &agenda)
    }
    var now = bits & ~State.mask | settled
    store = outcome
    var debris = Debris()
    leaveParent(&now, &debris, &agenda)
    noteSettled(now)
    if waiting == nil, rare.isQuiet {
      word.unlock(now)
    } else if rare.isQuiet, settled == State.fulfilled, waiting!.isLeaf, agenda.isIdle {
      bearNoMore(&now)
      return runLeaves(now, debris, &agenda)
    } else {
      // A child that goes by a cancellation must not take this promise along: it is still being settled here.
      bearNoMore(&now)
      if !rare.isQuiet || !dispatchOnlyChild(now, &agenda) {
        let hasObservers = !rare.isQuiet
        word.unlock(now | State.draining)
        agenda.addDispatch(of: self)
        if hasObservers { agenda.noteNews() }
      }
    }
    debris.clear()
  }

  /// The same where there is more to do than to set the outcome.
  @inline(never)
  private func finishWithMore(_ bits: UInt, _ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    var debris = Debris()
    var now = bits & ~(State.mask | State.hasHandlers | State.hasTarget) | settled
    bearNoMore(&now)
    let former = store
    store = outcome
    let isTold = settled & State.told != 0
    if isTold, State.isUnresolved(bits) { now |= State.forwardsLate }
    let withdrawn = cold?.withdraw()
    let fate = isTold ? fate : nil
    let hasObservers = hasObservers
    let hasContinuations = waiting != nil || hasObservers
    var below: [Descendant] = []
    if isTold, active != nil {
      agenda.walk()
      collectActive(&below)
    }
    if hasContinuations { now |= State.draining }
    let reason = isTold ? outcome.reason() : nil
    leaveParent(&now, &debris, &agenda)
    noteSettled(now)
    word.unlock(now)

    var adopted: Promise?
    if bits & State.hasTarget != 0 { adopted = former.takeTarget() }
    if let reason {
      // Somebody's own code, which may block.
      if fate != nil || withdrawn != nil { agenda.submitContinuation() }
      fate?.tell(reason)
      withdrawn?.tell(reason)
      if let adopted { agenda.add(.cancel(.promise(adopted), reason)) }
      if let heir = withdrawn?.heir { agenda.add(.cancel(.promise(heir), reason)) }
    }
    if bits & State.hasHandlers != 0 {
      if let reason, bits & State.isFinally != 0 {
        agenda.submitContinuation()
        context.runDetached(Direct.detached(former), reason)
      } else {
        former.destroyHandlers()
      }
    }
    if let reason {
      for descendant in below { agenda.add(.cancel(descendant, reason)) }
    }
    if hasContinuations { agenda.addDispatch(of: self) }
    if hasObservers { agenda.noteNews() }
    withExtendedLifetime((withdrawn, fate, adopted)) {}
    debris.clear()
  }

  /// Settles an unresolved promise; otherwise does nothing. First settlement wins. `outcome` is moved in.
  func settle(_ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    settle(locked: word.lock(), outcome, settled, &agenda)
  }

  /// The same for a promise that is locked, and has the given bits; gives the lock back.
  @inline(__always)
  func settle(locked bits: UInt, _ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    if bits & (State.mask | State.hasHandlers) == State.unresolved {
      finishHere(bits, outcome, settled, &agenda)
    } else {
      settleOtherwise(bits, outcome, settled, &agenda)
    }
  }

  /// The same for a promise that is resolved already, or whose handlers wait. It is locked.
  @inline(never)
  private func settleOtherwise(
    _ lockedBits: UInt, _ outcome: Store, _ settled: UInt, _ agenda: inout Agenda
  ) {
    var bits = lockedBits
    guard State.isUnresolved(bits) else {
      word.unlock(bits & ~State.forwardsLate)
      var outcome = outcome
      return outcome.destroyOutcome(settled)
    }
    let displaced = displaceHandlers(&bits, &agenda)
    finish(bits, outcome, settled, &agenda)
    displaced?.release()
  }

  func settle(_ outcome: Outcome, _ agenda: inout Agenda) { settle(outcome.store, outcome.bits, &agenda) }

  /// Settles a promise that is locked in; otherwise does nothing. `outcome` is moved in.
  func settleLockedIn(_ outcome: Store, _ settled: UInt, _ agenda: inout Agenda) {
    let bits = word.lock()
    guard bits & State.mask == State.lockedIn else {
      word.unlock(bits)
      var outcome = outcome
      return outcome.destroyOutcome(settled)
    }
    finish(bits, outcome, settled, &agenda)
  }

  func settleLockedIn(_ outcome: Outcome, _ agenda: inout Agenda) {
    settleLockedIn(outcome.store, outcome.bits, &agenda)
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
  /// it has settled it stays where a cancellation of the parent finds it. One that has passed there
  /// already, and would find the heir only, is sent after the promise.
  func displaceHandlers(_ bits: inout UInt, _ agenda: inout Agenda) -> Unmanaged<Promise>? {
    guard bits & State.hasHandlers != 0, let held = up.parent else { return nil }
    bearNoMore(&bits)
    // Its outcome is nobody's: what the handlers come to is ignored like any second resolution, and no loss.
    let kind =
      bits
      & (State.handlesValue | State.handlesReason | State.isFinally | State.isDirect | State.hasHandlers)
      | State.observed
    let heir = Promise(
      bits: kind, store: store, up: Up(parent: held.retain()), context: context.retained(),
      defaultContext: defaultContext)
    bits &= ~State.hasHandlers
    coldFields.heir = heir
    let parent = held.takeUnretainedValue()
    let parentBits = parent.word.lock()
    var formerHold: Unmanaged<Promise>?
    switch position.place {
    case .waiting:
      formerHold = parent.replaceWaiting(self, with: heir)
      parent.pushActive(.passUnretained(self))
    case .active, .dispatching:
      parent.pushActive(.passUnretained(heir))
      coldFields.displaced = heir
    case .none: break
    }
    if parentBits & State.told != 0 {
      agenda.add(.cancel(.promise(self), parent.store.reason()))
    }
    parent.word.unlock(parentBits)
    return formerHold
  }

  /// The last reference is gone. Runs in `deinit`.
  @inline(__always)
  func retire() {
    let bits = word.peek()
    if bits & State.known == State.settledBit, rare.isNone, Walkers.isNobody, Diagnosis.isSilent {
      retireUnknown(bits)
    } else {
      retireKnown(bits)
    }
  }

  /// Nobody knows of it any more.
  @inline(__always)
  private func retireUnknown(_ bits: UInt) {
    if bits & (State.mask | State.observed) == State.rejected { reportLoss(bits) }
    store.destroyOutcome(bits)
  }

  @inline(never)
  private func retireKnown(_ bits: UInt) {
    Diagnosis.tell { $0.gone(ObjectIdentifier(self)) }
    if bits & State.labelled != 0 { forgetLabel() }
    if State.isSettled(bits) { retireSettled(bits) } else { retirePending() }
    rare.release()
  }

  @inline(__always)
  private func retireSettled(_ bits: UInt) {
    leaveTree()
    if !rare.isNone { _ = fate?.close(abandoned: false) }
    retireUnknown(bits)
  }

  /// A promise that is still pending goes: tells its resolver, and whoever wants to hear that nobody waits.
  private func tellOfEnd(isAbandoned: Bool) {
    let late = fate?.close(abandoned: isAbandoned) ?? []
    let hooks = cold?.abandonHooks ?? []
    cold?.abandonHooks = []
    if isAbandoned { for hook in hooks + late { hook() } }
  }

  private func retirePending() {
    if word.peek() & State.hasTarget != 0, let node = cold?.adoption {
      store.target().forget(node)
    }
    var bits = word.lock()
    if State.isSettled(bits) {
      // By a resolver that was a moment faster, and did not have to keep the promise for that.
      word.unlock(bits)
      return retireSettled(bits)
    }
    var agenda = Agenda()
    var debris = Debris()
    bits |= State.gone
    leaveParent(&bits, &debris, &agenda)
    leaveTree(bits)
    if !rare.isNone { tellOfEnd(isAbandoned: State.isUnresolved(bits)) }
    if bits & State.hasHandlers != 0 { store.destroyHandlers() }
    if let parent = debris.promise { Releaser.release(parent) }
    debris.promise = nil
    if bits & State.hasTarget != 0 { Releaser.release(store.targetReference) }
    debris.clear()
    agenda.run()
  }
}
