// Parents and children. A core is linked to its nearest existing ancestor. The ancestor has two lists: the
// children that wait for it, and its other children. When a promise is freed, its children move to the
// ancestor's list of other children.
//
// A child has the mark `mayHavePending` if it or a descendant may be pending. A cancel skips children without
// the mark. Code that adds a pending promise marks the path above it. A visit that finds nothing pending
// removes the mark. Among the other children, those with the mark come first.
//
// Called with the lock held.

/// A linked list of cores, guarded like its members. A core is in one list at most.
private struct CoreList {
  private(set) var first: Core?

  @inline(__always)
  mutating func insert(_ core: Core, inFront: Bool) {
    core.next = inFront ? first : nil
    if let first {
      if !inFront { first.before!.next = core }
      core.before = first.before
      first.before = core
    } else {
      core.before = core
    }
    if inFront || first == nil { first = core }
  }

  mutating func insert(_ core: Core, before following: Core) {
    core.next = following
    core.before = following.before
    if following == first { first = core } else { following.before!.next = core }
    following.before = core
  }

  @inline(__always)
  mutating func remove(_ core: Core) {
    let following = core.next
    if first == core {
      first = following
      following?.before = core.before
    } else {
      core.before!.next = following
      (following ?? first!).before = core.before
    }
    core.next = nil
    core.before = nil
  }
}

// MARK: Waiting children

extension Core {
  /// Adds a child that waits. A pending child has a hold on its parent, and one on itself.
  @inline(__always)
  func wait(_ child: Core) {
    if flags.contains(.open), firstWaiting == nil, !isSettled { retainHandle() }
    adopt(child)
    // The mark puts the child in front when it stops waiting. Then the path above is marked, too.
    child.mayHavePending = true
    child.flags.insert(.waiting)
    var list = CoreList(first: firstWaiting)
    list.insert(child, inFront: false)
    firstWaiting = list.first
  }

  /// Gives a new, pending child its holds.
  @inline(__always)
  func adopt(_ child: Core) {
    hold()
    child.hold()
    child.up = self
  }

  /// Moves a waiting child to the other children. The caller has updated the number of consumers, if this
  /// promise is pending.
  @inline(__always)
  func takeWaiting(_ child: Core, _ turn: Turn) {
    var list = CoreList(first: firstWaiting)
    list.remove(child)
    firstWaiting = list.first
    child.flags.remove(.waiting)
    insert(child)
    markPath()
    if firstWaiting == nil, !isSettled { releaseHandle(turn) }
  }

  /// Removes this child, which has just settled, from its parent's waiting list.
  @inline(never)
  func stopWaiting(_ turn: Turn) {
    guard let parent = up else { return }
    let cause = flags.contains(.cancelled) ? reason : nil
    // The child of a timeout settles before its parent, and ignores a later rejection.
    if cause == nil { parent.flags.insert(.observed) }
    if wantsParent { parent.changeDemand(by: -1, because: cause, turn) }
    parent.takeWaiting(self, turn)
  }

  /// Releases the handle of a promise made with `Promise()`. While children wait for such a promise, it
  /// retains its handle, so a weak reference of a user finds it.
  @inline(__always)
  func releaseHandle(_ turn: Turn) {
    if flags.contains(.open), let handle = takeHandle() { turn.release(handle) }
  }
}

// MARK: Other children

extension Core {
  @inline(__always) var firstChildWithPending: Core? {
    guard let first = firstChild, first.mayHavePending else { return nil }
    return first
  }

  /// Adds a child to the other children: in front if it has the mark `mayHavePending`.
  @inline(__always)
  func insert(_ child: Core) {
    child.up = self
    var list = CoreList(first: firstChild)
    list.insert(child, inFront: child.mayHavePending)
    firstChild = list.first
  }

  /// Adds a child of a child that is about to leave, at its place, where a search through the children finds
  /// it.
  func insert(_ child: Core, before former: Core) {
    guard child.mayHavePending, former.isListed else { return insert(child) }
    child.up = self
    var list = CoreList(first: firstChild)
    list.insert(child, before: former)
    firstChild = list.first
  }

  @inline(__always)
  func remove(_ child: Core) {
    var list = CoreList(first: firstChild)
    list.remove(child)
    firstChild = list.first
  }

  /// Whether this promise is pending or a descendant may be. Only the answer `false` is certain.
  var hasPendingHereOrBelow: Bool { !isSettled || firstWaiting != nil || firstChildWithPending != nil }

  /// Marks the path above a pending descendant, from this promise on.
  @inline(__always) func markPath() { if !mayHavePending { markPathSlowly() } }

  @inline(never)
  private func markPathSlowly() {
    var next: Core? = self
    while let current = next, !current.mayHavePending {
      let above = current.isListed ? current.up : nil
      above?.remove(current)
      current.mayHavePending = true
      above?.insert(current)
      next = current.up
    }
  }

  /// Removes the mark `mayHavePending` if nothing is pending here or below, then does the same for the
  /// parent, and so on. Called with nothing locked; the caller has a hold.
  func clearPendingMarks(_ turn: Turn) {
    let lock = lock
    var next: Core? = self
    while let first = next {
      lock.lock()
      next = first.clearSomePendingMarks()
      next?.hold()
      if first != self { first.drop(turn) }
      lock.unlock()
    }
  }

  /// - Returns: The promise to continue with, after the promises that one critical section may visit.
  private func clearSomePendingMarks() -> Core? {
    var current = self
    for _ in 0..<Limits.slice {
      guard !current.hasPendingHereOrBelow, current.isListed, current.mayHavePending, let above = current.up
      else { return nil }
      above.remove(current)
      current.mayHavePending = false
      above.insert(current)
      current = above
    }
    return current
  }

  /// Whether there are more other children than one critical section moves.
  var hasManyChildren: Bool {
    var current = firstChild
    for _ in 0..<Limits.slice {
      guard let child = current else { return false }
      current = child.next
    }
    return current != nil
  }
}

// MARK: Ancestors

extension Core {
  /// The nearest ancestor that was not freed.
  var nearestAncestor: Core? {
    var current = up
    while let candidate = current, candidate.phase == .gone { current = candidate.up }
    return current
  }

  /// An ancestor about 256 levels up, so that no critical section grows with the tree.
  var distantAncestor: Core? {
    guard var found = nearestAncestor else { return nil }
    for _ in 0..<256 {
      guard let above = found.nearestAncestor else { break }
      found = above
    }
    return found
  }
}
