// Promises that retain themselves.

extension Promise {
  /// Whether this promise must retain itself. A pending promise must do so if it has adopters, because
  /// perhaps nothing else retains it. The last promise of a discarded chain must do so, because the chain
  /// still runs to its end.
  ///
  /// A promise that follows a target may be freed, because its adopters can follow the target instead
  /// (`Adopting.swift`). The promise retains itself only if its adopters cannot replace it. Adopters cannot
  /// replace a promise that has cancel hooks, or an ancestor that they do not have. They also cannot replace
  /// a promise whose outcome may differ from the target's, as for a `finally`.
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

  /// Whether adopters may bypass this promise. If so, this promise does not retain its parent.
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
    if canBeBypassed {
      inheritWork(byRequest: false)
      releaseParent(turn)
    }
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

  /// Removes the promise's reference to itself, if that reference is no longer needed. Called with the lock
  /// held. The caller releases `released` when the lock is free.
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
