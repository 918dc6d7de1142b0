// Keeping the lists of descendants true: who is active, who stands where. `Lineage.swift` says what for.

extension Promise {
  /// Makes a promise's enrolment agree with its activity, and that of the ancestors above it. Called with it locked, and
  /// its new bits; returns with it unlocked.
  @inline(__always)
  static func balance(_ start: Unmanaged<Promise>, _ startBits: UInt) {
    if start.use({ $0.up.ancestor == nil }) {
      start.use { $0.word.unlock(startBits) }
    } else {
      balanceAll(start, startBits)
    }
  }

  private static func balanceAll(_ start: Unmanaged<Promise>, _ startBits: UInt) {
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
    if let above = up.ancestor, above.use({ $0.word.peek() }) & State.gone != 0 { skipRemains() }
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
        next?.use { next in
          let bits = next.word.lock()
          next.replaceHeir(above, with: .passUnretained(self))
          next.word.unlock(bits)
        }
      } else {
        next?.use { $0.gainDescendant() }
        above.use { $0.forgetHeir() }
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
    if up.isBorrowed {
      parent.use { leave($0, isOurs: false, &bits, &debris, &agenda) }
    } else {
      debris.promise = parent
      if parent.isSole, leaveAlone(parent, &bits) { return }
      parent.use { leave($0, isOurs: parent.isUnique, &bits, &debris, &agenda) }
    }
  }

  private func leave(
    _ parent: Promise, isOurs: Bool, _ bits: inout UInt, _ debris: inout Debris, _ agenda: inout Agenda
  ) {
    var parentBits = parent.word.lock()
    switch position.place {
    case .none: break
    case .waiting:
      debris.child = parent.removeWaiting(self)
      if parentBits & State.carries != 0 {
        parentBits &= ~State.carries
        debris.promise = nil
      }
    case .active: parent.removeActive(.passUnretained(self))
    case .dispatching:
      parent.removeActive(.passUnretained(self))
      parent.goOnDispatching(&parentBits, &agenda)
    }
    position = Position()
    // One step for whoever walks down: entered above before it is taken out below, all under the locks of both.
    if isOurs, takeOver(from: parent, &parentBits, &bits, &debris) {
      // The parent goes; its way up is ours.
    } else if !isActive, !State.hasDescendants(bits), isGoing(bits) {
      up = .none
    } else {
      up = Up(ancestor: .passUnretained(parent))
      parentBits += State.descendant
      bits |= State.hasAncestor
      if isActive {
        parent.pushActive(.passUnretained(self))
        bits |= State.enrolled
      } else {
        parent.noteHeir(self, parentBits)
      }
    }
    parent.word.unlock(parentBits)
  }

  /// The same where nobody else holds the parent, which is settled, and needs its way up no more: without its lock. As long as this
  /// promise stands in the parent's list, the parent stands in that of the next ancestor, if it has one, and its way up does not
  /// change; and under the lock of that ancestor nobody can come upon the parent but from here, where not even a weak reference tells of it.
  @inline(__always)
  private func leaveAlone(_ parent: Unmanaged<Promise>, _ bits: inout UInt) -> Bool {
    guard let parentBits = parent.use({ $0.word.peekUnlocked() }), State.isSettled(parentBits),
      !State.hasDescendants(parentBits), position.isActive, parent.use({ $0.rare.isQuiet })
    else { return false }
    if let above = parent.use({ $0.up.ancestor }) {
      let aboveBits = above.use { $0.word.lock() }
      guard aboveBits & State.gone == 0, parent.isSole else {
        above.use { $0.word.unlock(aboveBits) }
        return false
      }
      position = Position()
      next = nil
      takePlace(of: parent, below: above, wasEnrolled: parentBits & State.enrolled != 0, &bits)
      Promise.balance(above, aboveBits)
    } else {
      guard parent.isSole else { return false }
      position = Position()
      next = nil
      up = .none
    }
    parent.use {
      $0.up = .none
      $0.below = Below()
      $0.word.unlock(parentBits & ~(State.enrolled | State.hasAncestor | State.draining))
    }
    return true
  }

  /// Counts on the next ancestor instead of the parent. That one is locked.
  @inline(__always)
  private func takePlace(
    of parent: Unmanaged<Promise>, below above: Unmanaged<Promise>, wasEnrolled: Bool, _ bits: inout UInt
  ) {
    up = Up(ancestor: above)
    bits |= State.hasAncestor
    above.use { $0.replaceHeir(parent, with: .passUnretained(self)) }
    if isActive {
      bits |= State.enrolled
      if wasEnrolled {
        above.use { $0.replaceActive(parent, with: self) }
      } else {
        above.use { $0.pushActive(.passUnretained(self)) }
      }
    } else if wasEnrolled {
      above.use { $0.removeActive(parent) }
    }
  }

  /// Leaves the tree on dying.
  @inline(__always)
  func leaveTree() {
    let bits = word.lock()
    // Whoever could have been told of this promise without holding it would have to find it marked as gone.
    if rare.isNone || rare.observer != nil, Walkers.isNobody, bequeath(bits) { return }
    leaveTree(bits)
  }

  /// The same. The promise is locked; gives the lock back.
  func leaveTree(_ bits: UInt) {
    if State.hasDescendants(bits) {
      // From now on what remains only forwards.
      Unmanaged.passUnretained(self).retainMemory()
      return Promise.balance(.passUnretained(self), bits | State.gone)
    }
    if let above = up.ancestor {
      if bits & State.enrolled != 0 {
        let aboveBits = above.use { $0.word.lock() }
        above.use { $0.removeActive(.passUnretained(self)) }
        Promise.balance(above, aboveBits)
      }
      Promise.leaveDescendants(of: above)
    }
    word.unlock(bits & ~State.enrolled | State.gone)
  }

  /// A promise that dies while a single descendant, below which nothing is pending, counts on it gives that its own way up, and
  /// nothing remains. The promise is locked, and is not unlocked if so. Downwards a lock may only be tried: whoever has it may be
  /// on the way up to here.
  @inline(__always)
  private func bequeath(_ bits: UInt) -> Bool {
    guard let heir = below.heir, let heirBits = heir.use({ $0.word.tryLock() }) else { return false }
    guard let above = up.ancestor else {
      heir.use {
        $0.up = .none
        $0.word.unlock(heirBits & ~State.hasAncestor)
      }
      return true
    }
    let aboveBits = above.use { $0.word.lock() }
    // From here on no walker can find this promise any more.
    let isUnseen = bits & State.enrolled == 0 || Walkers.isNobody
    if isUnseen {
      if bits & State.enrolled != 0 { above.use { $0.removeActive(.passUnretained(self)) } }
      above.use { $0.replaceHeir(.passUnretained(self), with: heir) }
      heir.use { $0.up = Up(ancestor: above) }
    }
    Promise.balance(above, aboveBits)
    heir.use { $0.word.unlock(heirBits) }
    return isUnseen
  }

  /// Whether this promise goes away, or does so as soon as whoever settles it lets go: out of its parent's lists, nobody will
  /// find it any more.
  private func isGoing(_ bits: UInt) -> Bool {
    if bits & State.gone != 0 { return true }
    return rare.isNone && !up.isBorrowed && Unmanaged.passUnretained(self).isUnique
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
    parentBits &= ~(State.enrolled | State.hasAncestor)
    parent.up = .none
    if aboveBits & State.gone != 0, moveUp(past: above, &bits) {
      if wasEnrolled { above.use { $0.removeActive(.passUnretained(parent)) } }
      debris.ancestor = above
    } else {
      takePlace(of: .passUnretained(parent), below: above, wasEnrolled: wasEnrolled, &bits)
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
      bits |= State.hasAncestor
      if isActive {
        ancestor.use { $0.pushActive(.passUnretained(self)) }
        bits |= State.enrolled
      }
      ancestor.use { $0.forgetHeir() }
      Promise.balance(ancestor, ancestorBits + State.descendant)
      return true
    }
    guard !isActive || Walkers.isNobody else { return false }
    up = .none
    return true
  }
}
