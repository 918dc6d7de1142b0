// Keeping the lists of descendants true: who is active, who stands where. `Lineage.swift` says what for.

extension Promise {
  /// Makes a promise's enrolment agree with its activity, and that of the ancestors above it. Called with it locked, and
  /// its new bits; returns with it unlocked.
  static func balance(_ start: Unmanaged<Promise>, _ startBits: UInt) {
    var current = start
    var bits = startBits
    while let (above, aboveBits, now) = current.use({ $0.balanceOnce(bits) }) {
      // Unlocked below, `above` is locked: it stays, because whoever frees it needs that lock.
      current.use { $0.word.unlock(now) }
      current = above
      bits = aboveBits
    }
    current.use { $0.word.unlock(bits) }
  }

  private func balanceOnce(_ bits: UInt) -> (above: Unmanaged<Promise>, aboveBits: UInt, bits: UInt)? {
    // While pending it stands in its parent's list.
    guard bits & (State.settledBit | State.gone) != 0, let above = up.ancestor else { return nil }
    let isEnrolled = bits & State.enrolled != 0
    let isActive = isActive || isEnrolled && bits & State.gone == 0
    guard isActive != isEnrolled else { return nil }
    let aboveBits = above.use { $0.word.lock() }
    let this = Unmanaged.passUnretained(self)
    if isActive { above.use { $0.pushActive(this) } } else { above.use { $0.removeActive(this) } }
    return (above, aboveBits, bits ^ State.enrolled)
  }

  /// A settled promise that is about to have its first pending child: enrols it above, past whatever only remains there.
  /// The promise is locked.
  func enrol(_ bits: inout UInt) {
    guard bits & State.enrolled == 0, !up.isNone else { return }
    skipRemains()
    guard let above = up.ancestor else { return }
    let aboveBits = above.use { $0.word.lock() }
    above.use { $0.pushActive(.passUnretained(self)) }
    bits |= State.enrolled
    Promise.balance(above, aboveBits)
  }

  /// Lets `up` point past what remains of promises. Only while not enrolled; the promise is locked.
  private func skipRemains() {
    while let above = up.ancestor, above.use({ $0.word.peek() }) & State.gone != 0 {
      let aboveBits = above.use { $0.word.lock() }
      let isOnlyOne = aboveBits < 2 * State.descendant
      let next = above.use { $0.up.ancestor }
      up = next.map { Up(ancestor: $0) } ?? .none
      if isOnlyOne {
        // Its place above is this promise's now, and it is needed no more.
        above.use { $0.up = .none }
      } else {
        next?.use { $0.gainDescendant() }
      }
      above.use { $0.word.unlock(aboveBits - State.descendant) }
      if isOnlyOne { above.releaseMemory() }
    }
  }

  /// Leaves the parent on settling or dying: out of its lists, and up by another way. The promise is locked, and `bits` and its
  /// lists already say what it will be.
  @inline(__always)
  func leaveParent(_ bits: inout UInt, _ debris: inout Debris, _ agenda: inout Agenda) {
    guard let parent = up.parent else { return }
    parent.use { leave($0, &bits, &debris, &agenda) }
    debris.promise = parent
  }

  @inline(__always)
  private func leave(_ parent: Promise, _ bits: inout UInt, _ debris: inout Debris, _ agenda: inout Agenda) {
    var parentBits = parent.word.lock()
    switch position.place {
    case .none: break
    case .waiting: debris.child = parent.removeWaiting(self)
    case .active: parent.removeActive(.passUnretained(self))
    case .dispatching:
      parent.removeActive(.passUnretained(self))
      parent.goOnDispatching(&parentBits, &agenda)
    }
    position = Position()
    // One step for whoever walks down: entered above before it is taken out below, all under the locks of both.
    if takeOver(from: parent, &parentBits, &bits, &debris) {
      // The parent goes; its way up is ours.
    } else if !isActive, !State.hasDescendants(bits), isGoing(bits) {
      up = .none
    } else {
      up = Up(ancestor: .passUnretained(parent))
      parentBits += State.descendant
      if isActive {
        parent.pushActive(.passUnretained(self))
        bits |= State.enrolled
      }
    }
    parent.word.unlock(parentBits)
  }

  /// Whether this promise goes away, or does so as soon as whoever settles it lets go: out of its parent's lists, nobody will
  /// find it any more.
  private func isGoing(_ bits: UInt) -> Bool {
    bits & State.gone != 0 || rare.isNone && Unmanaged.passUnretained(self).isUnique
  }

  /// If nobody else holds the settled `parent`, and no descendant counts on it, moves its way up, and its place in
  /// the list above, to this promise. Both are locked.
  @inline(__always)
  private func takeOver(
    from parent: Promise, _ parentBits: inout UInt, _ bits: inout UInt, _ debris: inout Debris
  ) -> Bool {
    guard parentBits & State.settledBit != 0, !State.hasDescendants(parentBits) else { return false }
    guard let above = parent.up.ancestor else {
      guard Unmanaged.passUnretained(parent).isUnique else { return false }
      up = .none
      return true
    }
    return takeOver(from: parent, below: above, &parentBits, &bits, &debris)
  }

  private func takeOver(
    from parent: Promise, below above: Unmanaged<Promise>, _ parentBits: inout UInt, _ bits: inout UInt,
    _ debris: inout Debris
  ) -> Bool {
    let aboveBits = above.use { $0.word.lock() }
    let wasEnrolled = parentBits & State.enrolled != 0
    // A walker that has taken the parent from the list above, without holding it, would find nothing below it any more.
    guard Unmanaged.passUnretained(parent).isUnique, !wasEnrolled || !isActive || Walkers.isNobody else {
      above.use { $0.word.unlock(aboveBits) }
      return false
    }
    parentBits &= ~State.enrolled
    parent.up = .none
    if aboveBits & State.gone != 0, moveUp(past: above, &bits) {
      if wasEnrolled { above.use { $0.removeActive(.passUnretained(parent)) } }
      debris.ancestor = above
    } else {
      up = Up(ancestor: above)
      if wasEnrolled {
        isActive
          ? above.use { $0.replaceActive(parent, with: self) }
          : above.use { $0.removeActive(.passUnretained(parent)) }
      } else if isActive {
        above.use { $0.pushActive(.passUnretained(self)) }
      }
      if isActive { bits |= State.enrolled }
    }
    Promise.balance(above, aboveBits)
    return true
  }

  /// Points the way up at the nearest ancestor that exists, and enters its list if active; not if a walker could miss this
  /// promise. What remains of `above` is locked, and with it all further remains stay.
  private func moveUp(past above: Unmanaged<Promise>, _ bits: inout UInt) -> Bool {
    var candidate = above.use { $0.up.ancestor }
    while let ancestor = candidate {
      let ancestorBits = ancestor.use { $0.word.lock() }
      if ancestorBits & State.gone != 0 {
        candidate = ancestor.use { $0.up.ancestor }
        ancestor.use { $0.word.unlock(ancestorBits) }
        continue
      }
      guard !isActive || Walkers.isNobody else {
        ancestor.use { $0.word.unlock(ancestorBits) }
        return false
      }
      up = Up(ancestor: ancestor)
      if isActive {
        ancestor.use { $0.pushActive(.passUnretained(self)) }
        bits |= State.enrolled
      }
      Promise.balance(ancestor, ancestorBits + State.descendant)
      return true
    }
    guard !isActive || Walkers.isNobody else { return false }
    up = .none
    return true
  }
}
