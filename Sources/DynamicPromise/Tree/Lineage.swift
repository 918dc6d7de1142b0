// Parents and children. A promise is linked to its nearest existing ancestor. The ancestor has two lists: the
// children that wait for it, and its other children. When a promise is freed, its children move to the
// ancestor's list of other children.
//
// A child has the mark `mayHavePending` if it or a descendant may be pending. A cancel skips children without
// the mark. Code that adds a pending promise marks the path above it. A visit that finds nothing pending
// removes the mark.
//
// OWNERSHIP. A parent retains the children that wait for it; a pending child retains its parent
// (`holdsParent`). A settled child does not retain its parent, and a parent does not retain its other
// children.
//
// Called with the lock held.

extension Promise {
  /// The node of this promise, made on first use.
  @inline(__always) var ownNode: TreeNode {
    if let node { return node }
    let made = TreeNode(of: self)
    made.isKept = flags.contains(.holdsItself)
    node = made
    return made
  }

  /// The parent, if this child retains it.
  @inline(__always) var heldParent: Promise? { flags.contains(.holdsParent) ? node?.up?.held : nil }

  /// Adds a child that waits.
  @inline(__always)
  func wait(_ child: Promise) {
    let node = child.ownNode
    hold(for: child)
    // Marks the child, so that a visit finds it.
    node.mayHavePending = true
    child.flags.insert(.waiting)
    waiting.append(node)
  }

  /// Makes a pending child retain this promise.
  @inline(__always)
  func hold(for child: Promise) {
    let own = ownNode
    own.retain()
    child.ownNode.up = own
    child.flags.insert(.holdsParent)
  }

  /// Moves the oldest waiting child to the other children. The number of consumers is not updated, because it
  /// does not matter once this promise has settled.
  @inline(__always)
  func takeWaiting() -> Promise {
    let child = waiting.popFirst()!
    child.flags.remove(.waiting)
    addOther(child)
    return child
  }

  /// Adds a child to the other children, with the mark `mayHavePending`.
  @inline(__always)
  func addOther(_ child: Promise) {
    let node = child.ownNode
    node.mayHavePending = true
    ownNode.insert(node)
    markPath()
  }

  /// Marks the path above a pending descendant, from this promise on.
  @inline(__always)
  func markPath() {
    if let node, !node.mayHavePending { node.markPath() }
  }

  /// Releases the parent when the lock is free.
  @inline(__always)
  func releaseParent(_ turn: Turn) {
    if let parent = takeParent() { turn.release(parent) }
  }

  /// Removes the reference to the parent and returns it. The caller releases the parent when the lock is
  /// free.
  @inline(__always)
  func takeParent() -> Promise? {
    guard flags.contains(.holdsParent), let up = node?.up else { return nil }
    flags.remove(.holdsParent)
    return up.takeRetained()
  }

  /// Removes this child from its parent's waiting list, if the list contains it. Called when the child has
  /// settled, or was resolved by hand.
  @inline(never)
  func stopWaiting(_ turn: Turn) {
    guard flags.contains(.waiting), let parent = heldParent else { return }
    let cause = flags.contains(.cancelled) ? state.reason : nil
    // The child of a timeout settles before its parent, and ignores a later rejection.
    if !flags.contains(.cancelled) { parent.flags.insert(.observed) }
    if wantsParent { parent.changeDemand(by: -1, because: cause, turn) }
    turn.release(parent.takeWaiting(self))
  }

  /// Moves a waiting child to the other children. Returns the reference of the waiting list.
  func takeWaiting(_ child: Promise) -> Promise {
    child.flags.remove(.waiting)
    let taken = waiting.remove(child.ownNode)
    addOther(child)
    return taken
  }

  /// Removes this promise, which is being deallocated, from the tree.
  ///
  /// - Returns: Whether the caller has to call again. Before that, the caller unlocks the tree and releases
  ///   `released`.
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

  /// Passes this node with all children to the nearest ancestor, if that ancestor has few children. Used only
  /// if this promise has more children than one critical section moves. Otherwise a long chain that is freed
  /// from its end would move the children at each step.
  ///
  /// - Returns: Whether the node was passed on. Children that retain themselves prevent this, because each of
  ///   these children has to be checked.
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
  /// Whether this promise or a descendant may be pending. Only the answer `false` is certain.
  var hasPendingHereOrBelow: Bool {
    !state.isSettled || !waiting.isEmpty || node?.firstChildWithPending != nil
  }

  /// Removes the mark `mayHavePending` if nothing is pending here or below, then does the same for the
  /// parent, and so on. Called with nothing locked.
  func clearPendingMarks(_ turn: Turn) {
    var next: Promise? = self
    while let promise = next {
      next = promise.lock.with {
        guard !promise.hasPendingHereOrBelow, let node = promise.node, node.isListed, node.mayHavePending
        else { return nil }
        node.clearPendingMark()
        return node.up?.promoted()
      }
      turn.release(promise)
    }
  }
}

extension TreeNode {
  /// Marks this node, and the nodes above that have no mark.
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

  /// Whether the list from `first` on has more nodes than one critical section moves.
  fileprivate func hasMany(from first: TreeNode?) -> Bool {
    var current = first
    for _ in 0..<Limits.slice {
      guard let child = current else { return false }
      current = child.next
    }
    return current != nil
  }

  /// Exchanges the promises of this node and of the node above, which has no children left.
  fileprivate func takePlace(of above: TreeNode) {
    mayHavePending = above.mayHavePending
    isKept = above.isKept
    if above.isListed { above.up?.replace(above, with: self) }
    up = above.up
    above.up = self
    swapOwners(with: above)
  }

  /// Removes the mark `mayHavePending`, and moves this node behind the marked nodes.
  func clearPendingMark() {
    guard isListed, let up else { return }
    up.remove(self)
    mayHavePending = false
    up.insert(self)
  }

  /// Links up to 64 children to the next ancestor.
  ///
  /// - Parameter released: References that the caller releases when the lock is free.
  /// - Returns: Whether there are more children.
  func passChildrenUp(_ released: inout [Promise]) -> Bool {
    for _ in 0..<Limits.slice {
      guard let child = firstChild else { return false }
      remove(child)
      if let up {
        up.insert(child)
      } else {
        child.up = nil
      }
      // The child releases itself if it retained itself only because of an ancestor that was freed.
      if child.isKept { child.held.releaseItself(&released) }
    }
    return firstChild != nil
  }

  /// Whether `ancestor` is above this node. Looks at 64 ancestors only, which is enough for loops of
  /// adoptions.
  func isBelow(_ ancestor: TreeNode) -> Bool {
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

  /// An ancestor about 256 levels up, so that no critical section grows with the tree.
  var distantAncestor: Promise? {
    guard var current = up else { return nil }
    for _ in 0..<256 {
      guard let above = current.up else { break }
      current = above
    }
    return current.promoted() ?? nearestAncestor
  }
}
