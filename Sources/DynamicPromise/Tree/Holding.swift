// A promise that keeps itself.

extension Promise {
  /// Whether a pending promise has to keep itself (L1): others have adopted it, and may be all that is left to wait for it; or it is
  /// the end of a discarded chain, which is followed through.
  ///
  /// While it follows another promise itself its adopters can move on to that one when it goes
  /// (`Adopting.swift`). Then it stays only for what they cannot do in its place: hear of a cancel from an
  /// ancestor that is none of theirs, run cancellation hooks, and settle with another outcome than what it
  /// waits for, as a `finally` does.
  private func needsItself(_ released: inout [Promise]) -> Bool {
    let isAdopted = (side?.observers.adopters ?? 0) > 0
    switch state {
    case .fulfilled, .rejected: return false
    case .unresolved, .handler, .running, .following(.thenable): return isAdopted
    case .following(.promise(let adoption)):
      if isAdopted, !adoption.passesAnyOutcomeOn { return true }
      if !isAdopted { return flags.contains(.holdsParent) && !flags.contains(.isOnlyAStep) }
      return side?.cancelHooks.isEmpty == false || !isRepresented(&released)
    }
  }

  /// Whether an adopter may do what this promise has to do. It keeps its parent no longer: whether there is an ancestor that could
  /// be cancelled depends on who else holds one.
  private var mayBeRepresented: Bool {
    guard case .following(.promise(let adoption)) = state, adoption.passesAnyOutcomeOn,
      !flags.contains(.resumesParent), let side
    else { return false }
    return side.observers.adopters > 0 && side.cancelHooks.isEmpty
  }

  /// Called under the lock where a reason to keep itself may have come, or to keep the parent may have gone. Whoever calls
  /// holds the promise.
  func updateHolds(_ effects: inout Effects) {
    if mayBeRepresented { releaseParent(&effects) }
    var released: [Promise] = []
    if flags.contains(.holdsItself) {
      letGoOfItself(&released)
    } else if needsItself(&released) {
      flags.insert(.holdsItself)
      node?.isKept = true
      retainItself()
    }
    if !released.isEmpty { effects.letGo(of: released as Any) }
  }

  /// Called under the lock where a reason to keep itself may have gone. What it has kept is to be let go of when the lock is free.
  func letGoOfItself(_ released: inout [Promise]) {
    guard flags.contains(.holdsItself), !needsItself(&released) else { return }
    flags.remove(.holdsItself)
    node?.isKept = false
    released.append(takeOwnReference())
  }

  func letGoOfItself(_ effects: inout Effects) {
    guard flags.contains(.holdsItself) else { return }
    var released: [Promise] = []
    letGoOfItself(&released)
    effects.letGo(of: released as Any)
  }
}
