// Promises that retain themselves.

extension Promise {
  /// Whether this promise has to retain itself. A pending promise has to if adopters need it, because perhaps
  /// nothing else retains it. The end of a discarded chain has to, because the chain still runs to its end.
  ///
  /// A promise that follows another one may be freed, because its adopters can follow that one instead
  /// (`Adopting.swift`). So it retains itself only for what adopters cannot do: be cancelled through an
  /// ancestor that they do not have, run cancel hooks, or settle with another outcome than the target's, as a
  /// `finally` does.
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

  /// Whether adopters may bypass this promise. If so, it does not retain its parent.
  private var canBeBypassed: Bool {
    guard case .following(let adoption) = state, adoption.passesAnyOutcomeOn,
      !flags.contains(.resumesParent)
    else { return false }
    return (side?.observers.adopters ?? 0) > 0
  }

  /// Updates whether this promise retains its parent and itself. Called with the lock held, when a reason to
  /// retain itself may have been added, or a reason to retain the parent removed. The caller retains the
  /// promise.
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

  /// Removes the promise's reference to itself, if it is not needed any more. Called with the lock held. The
  /// caller releases `released` when the lock is free.
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
