// When a promise holds itself.

extension Promise {
  /// Whether a pending promise has to hold itself: because adopters need it and perhaps nothing else
  /// holds it, or because it is the end of a discarded chain, which runs to its end all the same.
  ///
  /// If it follows another promise, its adopters can follow that one when it is freed (`Adopting.swift`).
  /// Then it only stays for what the adopters cannot do: be cancelled through an ancestor that they do not
  /// have, run cancel hooks, and settle with another outcome than what it waits for, as a `finally` does.
  private func needsItself(_ released: inout [Promise]) -> Bool {
    let isAdopted = (side?.observers.adopters ?? 0) > 0
    switch state {
    case .fulfilled, .rejected: return false
    case .unresolved, .handler, .running, .followingThenable: return isAdopted
    case .following(let adoption):
      if isAdopted, !adoption.passesAnyOutcomeOn { return true }
      if !isAdopted { return flags.contains(.holdsParent) && !kind.contains(.step) }
      return side?.cancelHooks.isEmpty == false || !isBypassed(&released)
    }
  }

  /// Whether its adopters may bypass this promise. Then it does not hold its parent: whether an ancestor can
  /// still be cancelled depends on who else holds one.
  private var canBeBypassed: Bool {
    guard case .following(let adoption) = state, adoption.passesAnyOutcomeOn,
      !flags.contains(.resumesParent)
    else { return false }
    return (side?.observers.adopters ?? 0) > 0
  }

  /// Called with the lock held where a reason to hold itself may have arisen, or one to hold the parent may
  /// have ended. The caller holds the promise.
  func updateHolds(_ turn: Turn) {
    if canBeBypassed { releaseParent(turn) }
    var released: [Promise] = []
    if flags.contains(.holdsItself) {
      releaseItself(&released)
    } else if needsItself(&released) {
      flags.insert(.holdsItself)
      node?.isKept = true
      retainItself()
    }
    if !released.isEmpty { turn.release(released as Any) }
  }

  /// Called with the lock held where a reason to hold itself may have ended. The caller releases `released`
  /// when the lock is free.
  func releaseItself(_ released: inout [Promise]) {
    guard flags.contains(.holdsItself), !needsItself(&released) else { return }
    flags.remove(.holdsItself)
    node?.isKept = false
    released.append(takeOwnReference())
  }

  func releaseItself(_ turn: Turn) {
    guard flags.contains(.holdsItself) else { return }
    var released: [Promise] = []
    releaseItself(&released)
    turn.release(released as Any)
  }
}
