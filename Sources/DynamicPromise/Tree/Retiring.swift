// The last reference to a promise has gone.

extension Promise {
  /// Runs in `deinit`. Others may still come upon the promise through the tree until it has been taken out there.
  @inline(__always)
  func retire() {
    Diagnosis.tell { $0.gone(ObjectIdentifier(self)) }
    var released: [Promise] = []
    lock.lock()
    while leaveTree(&released) {
      lock.unlock()
      released = []
      lock.lock()
    }
    let isPlain: Bool
    switch state {
    case .fulfilled: isPlain = side == nil && !flags.contains(.labelled)
    case .rejected: isPlain = flags.contains(.observed) && side == nil && !flags.contains(.labelled)
    default: isPlain = false
    }
    if isPlain {
      node?.discard()
      lock.unlock()
    } else {
      retireOther()
    }
  }

  /// The same where somebody has to hear of it. With the lock held; gives it back.
  @inline(never)
  private func retireOther() {
    var effects = Effects()
    var lost: (any Error)?
    switch state {
    case .rejected(let reason): if !flags.contains(.observed) { lost = reason }
    case .fulfilled: break
    default: retirePending(&effects)
    }
    let ancestor = lost == nil ? nil : node?.nearestAncestor
    node?.discard()
    lock.unlock()
    if let lost { reportLoss(lost, below: ancestor) }
    if flags.contains(.labelled) { forgetLabel() }
    if let side {
      effects.letGo(of: side)
      self.side = nil
    }
    effects.perform()
  }

  /// With the lock held. Nobody waits for a promise that goes while it is pending, apart from adopters that can do without it.
  private func retirePending(_ effects: inout Effects) {
    var adopters: [Adoption] = []
    if let side { adopters = side.observers.adoptions }
    var former = State.unresolved
    swap(&former, &state)
    switch former {
    case .following(.promise(let adoption)):
      adoption.adopterGoes(
        leaving: adopters, unwanted: flags.contains(.unwanted) ? side?.reason : nil, &effects)
      effects.letGo(of: adoption as Any)
      side?.end = .settled
    case .following(.thenable):
      side?.end = .settled
    case .handler(let handler):
      effects.letGo(of: handler)
    default:
      guard let side else { break }
      side.end = .abandoned
      let hooks = side.abandonHooks
      side.abandonHooks = []
      if !hooks.isEmpty { effects.add(.abandon(hooks)) }
    }
    uncount(&effects)
    releaseParent(&effects)
  }
}
