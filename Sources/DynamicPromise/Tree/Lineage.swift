// Parents and children. A promise is linked to its nearest ancestor that exists, in one of two lists there:
// the children that wait, or the others. When a promise is freed, its children take its place in the list
// above.
//
// A child has the mark `mayHavePending` if it or a descendant may be pending, so a cancel need not look at
// the others. Code that adds a pending promise marks the path above it. A visit that finds nothing pending
// removes the mark.
//
// WHO RETAINS WHOM. A parent retains the children that wait for it; a pending child retains its parent
// (`holdsParent`). A settled child does not, and a parent does not retain its other children.
//
// Called with the lock held.

extension Promise {
  /// The links, made on first use.
  @inline(__always) var ownNode: TreeNode {
    if let node { return node }
    let made = TreeNode(of: self)
    made.isKept = flags.contains(.holdsItself)
    node = made
    return made
  }

  /// The parent of a pending child, which holds it.
  @inline(__always) var heldParent: Promise? { flags.contains(.holdsParent) ? node?.up?.held : nil }

  /// Enters a child that waits.
  @inline(__always)
  func wait(_ child: Promise) {
    let node = child.ownNode
    hold(for: child)
    // A visit has to find it.
    node.mayHavePending = true
    child.flags.insert(.waiting)
    waiting.append(node)
  }

  /// A pending child holds its parent.
  @inline(__always)
  func hold(for child: Promise) {
    let own = ownNode
    own.retain()
    child.ownNode.up = own
    child.flags.insert(.holdsParent)
  }

  /// Takes the oldest child out of the list of those that wait. This promise has settled, so its consumers
  /// are not counted any more.
  @inline(__always)
  func takeWaiting() -> Promise {
    let child = waiting.popFirst()!
    child.flags.remove(.waiting)
    enter(child)
    return child
  }

  /// Enters a child among the others, below which something is pending.
  @inline(__always)
  func enter(_ child: Promise) {
    let node = child.ownNode
    node.mayHavePending = true
    ownNode.insert(node)
    markPath()
  }

  /// Something pending is below this promise.
  @inline(__always)
  func markPath() {
    if let node, !node.mayHavePending { node.markPath() }
  }

  /// The promise does not keep its parent any more.
  @inline(__always)
  func releaseParent(_ turn: Turn) {
    if let parent = takeParent() { turn.release(parent) }
  }

  /// The same; the caller gets the reference, and releases it when the lock is free.
  @inline(__always)
  func takeParent() -> Promise? {
    guard flags.contains(.holdsParent), let up = node?.up else { return nil }
    flags.remove(.holdsParent)
    return up.takeRetained()
  }

  /// Takes this child out of the list of those that wait, if it is there: it has settled, or was resolved by
  /// hand.
  @inline(never)
  func stopWaiting(_ turn: Turn) {
    guard flags.contains(.waiting), let parent = heldParent else { return }
    let cause = flags.contains(.cancelled) ? state.reason : nil
    if wantsParent { parent.changeDemand(by: -1, because: cause, turn) }
    turn.release(parent.takeWaiting(self))
  }

  /// Takes a child out of the list of waiting children. The caller gets the list's reference.
  func takeWaiting(_ child: Promise) -> Promise {
    child.flags.remove(.waiting)
    let taken = waiting.remove(child.ownNode)
    enter(child)
    return taken
  }

  /// The promise is deallocated: takes it out of the tree.
  ///
  /// - Returns: Whether there is more to do, after a moment in which the lock is free; `released` is to be
  ///   released then.
  @inline(__always)
  func leaveTree(_ released: inout [Promise]) -> Bool {
    guard let node else { return false }
    if node.firstChild != nil {
      if leaveNodeToParent(node, &released) { return false }
      if node.passChildrenUp(&released) { return true }
    }
    if node.isListed { node.up?.remove(node) }
    return false
  }

  /// The promise is deallocated and has more children than one critical section moves. An ancestor with few
  /// children takes over this promise's node, with all children. So the children of a chain that is freed
  /// from its end are not moved at each step.
  ///
  /// - Returns: Whether that was done. Children that retain themselves prevent it: each has to be checked.
  @inline(never)
  private func leaveNodeToParent(_ node: TreeNode, _ released: inout [Promise]) -> Bool {
    guard !node.mayHaveKeptChildren, let above = node.up, node.hasMany(from: node.firstChild),
      let ancestor = above.promoted()
    else { return false }
    released.append(ancestor)
    guard ancestor.flags.isDisjoint(with: .waiting), ancestor.waiting.isEmpty,
      !above.hasMany(from: above.firstChild)
    else { return false }
    if node.isListed { above.remove(node) }
    while let child = above.firstChild {
      above.remove(child)
      node.insert(child)
    }
    node.takePlace(of: above)
    ancestor.node = node
    self.node = above
    return true
  }
}

extension Promise {
  /// Whether something pending may be found here or below. Exact in one direction: a no is certain.
  var hasPendingHereOrBelow: Bool {
    !state.isSettled || !waiting.isEmpty || node?.firstChildWithPending != nil
  }

  /// If nothing pending is here or below, takes the mark back, also above where it stood for nothing else.
  /// Called with nothing locked.
  func takeBackMark() {
    var next: Promise? = self
    while let promise = next {
      next = promise.lock.with {
        guard !promise.hasPendingHereOrBelow, let node = promise.node, node.isListed, node.mayHavePending
        else { return nil }
        node.dropOut()
        return node.up?.promoted()
      }
    }
  }
}

extension TreeNode {
  /// Something pending is below.
  fileprivate func markPath() {
    var current = self
    while !current.mayHavePending {
      let above = current.isListed ? current.up : nil
      above?.remove(current)
      current.mayHavePending = true
      above?.insert(current)
      guard let next = current.up else { return }
      current = next
    }
  }

  /// Whether there are more than one critical section moves in the list from `first` on.
  fileprivate func hasMany(from first: TreeNode?) -> Bool {
    var current = first
    for _ in 0..<Limits.slice {
      guard let child = current else { return false }
      current = child.next
    }
    return current != nil
  }

  /// This node becomes that of the promise above, and the other one, which has no children left, this one's.
  fileprivate func takePlace(of above: TreeNode) {
    mayHavePending = above.mayHavePending
    isKept = above.isKept
    if above.isListed { above.up?.replace(above, with: self) }
    up = above.up
    above.up = self
    swapOwners(with: above)
  }

  /// Nothing pending is left below this child that a visit would have to find.
  func dropOut() {
    guard isListed, let up else { return }
    up.remove(self)
    mayHavePending = false
    up.insert(self)
  }

  /// Links children to the next ancestor, some at a time.
  ///
  /// - Parameter released: What is to be released when the lock is free.
  /// - Returns: Whether there may be more.
  func passChildrenUp(_ released: inout [Promise]) -> Bool {
    for _ in 0..<Limits.slice {
      guard let child = firstChild else { return false }
      remove(child)
      if let up {
        up.insert(child)
      } else {
        child.up = nil
      }
      // It may have kept itself for the sake of an ancestor.
      if child.isKept { child.held.releaseItself(&released) }
    }
    return firstChild != nil
  }

  /// Whether `ancestor` is above. Looks only as far up as the loops of adoptions need it.
  func stands(below ancestor: TreeNode) -> Bool {
    var current = up
    for _ in 0..<64 {
      guard let candidate = current else { return false }
      if candidate == ancestor { return true }
      current = candidate.up
    }
    return false
  }
}

extension TreeNode {
  /// The nearest ancestor that is not being freed.
  var nearestAncestor: Promise? {
    var current = up
    while let candidate = current {
      if let promise = candidate.promoted() { return promise }
      current = candidate.up
    }
    return nil
  }

  /// An ancestor some way up, so that no critical section grows with the tree.
  var distantAncestor: Promise? {
    guard var current = up else { return nil }
    for _ in 0..<256 {
      guard let above = current.up else { break }
      current = above
    }
    return current.promoted() ?? nearestAncestor
  }
}
