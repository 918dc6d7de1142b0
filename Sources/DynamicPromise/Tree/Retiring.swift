// The end of a promise: its last reference has gone.

extension Promise {
  /// Runs in `deinit`. Until the promise has been taken out of the tree, others may still find it there.
  @inline(__always)
  func retire() {
    noteGone()
    var released: [Promise] = []
    lock.lock()
    let observers = dismissObservers()
    while leaveTree(&released) {
      lock.unlock()
      released = []
      lock.lock()
    }
    let isPlain: Bool
    switch state {
    case .fulfilled: isPlain = true
    case .rejected: isPlain = flags.contains(.observed)
    default: isPlain = false
    }
    if isPlain {
      node?.discard(guardedBy: lock)
      lock.unlock()
    } else {
      retireOther(observers)
    }
    // Not before: a release under the lock might run a `deinit` there.
    withExtendedLifetime(released) {}
  }

  /// The same if observers or hooks have to be notified. Called with the lock held, which it releases.
  @inline(never)
  private func retireOther(_ observers: Dismissed) {
    let effects = Effects.beginLocked()
    var lost: (any Error)?
    switch state {
    case .rejected(let reason): if !flags.contains(.observed) { lost = reason }
    case .fulfilled: break
    default: retirePending(observers, effects)
    }
    let ancestor = lost == nil ? nil : node?.nearestAncestor
    node?.discard(guardedBy: lock)
    lock.unlock()
    effects.interruptDriver()
    if let lost { reportLoss(lost, below: ancestor) }
    if let side {
      effects.letGo(of: side)
      self.side = nil
    }
    Driver.perform(effects)
  }

  /// Called with the lock held. Only adopters wait for a promise that is freed while it is pending. They
  /// follow its target then.
  private func retirePending(_ observers: Dismissed, _ effects: Effects) {
    if !observers.all.isEmpty { effects.letGo(of: observers.all as Any) }
    var former = State.unresolved
    swap(&former, &state)
    switch former {
    case .following(.promise(let adoption)):
      adoption.adopterGoes(
        leaving: observers.adopters, unwanted: side?.reason, effects)
      effects.letGo(of: adoption as Any)
      side?.end = .left
    case .following(.thenable):
      side?.end = .left
    case .handler(let handler):
      effects.letGo(of: handler)
    default:
      guard let side else { break }
      side.end = .abandoned
      let hooks = side.abandonHooks
      side.abandonHooks = []
      if !hooks.isEmpty { effects.add(.call(hooks)) }
    }
    releaseParent(effects)
  }
}
