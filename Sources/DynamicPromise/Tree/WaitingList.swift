// Lists of nodes: waiting children, and other children.

/// A linked list of nodes, guarded like its nodes. A node is in one list at most.
struct TreeNodeList {
  private(set) var first: TreeNode?

  @inline(__always) var last: TreeNode? { first?.before }

  @inline(__always)
  mutating func append(_ node: TreeNode) {
    node.link(next: nil)
    if let first {
      first.before!.link(next: node)
      node.link(before: first.before)
      first.link(before: node)
    } else {
      node.link(before: node)
      first = node
    }
  }

  @inline(__always)
  mutating func prepend(_ node: TreeNode) {
    node.link(next: first)
    if let first {
      node.link(before: first.before)
      first.link(before: node)
    } else {
      node.link(before: node)
    }
    first = node
  }

  @inline(__always)
  mutating func remove(_ node: TreeNode) {
    let following = node.next
    if first == node {
      first = following
      following?.link(before: node.before)
    } else {
      node.before!.link(next: following)
      (following ?? first!).link(before: node.before)
    }
    node.link(next: nil)
    node.link(before: nil)
  }

  /// Replaces `old` by `new`.
  mutating func replace(_ old: TreeNode, with new: TreeNode) {
    let isFirst = first == old
    let isLast = old.next == nil
    new.link(next: old.next)
    new.link(before: isFirst && isLast ? new : old.before)
    if isFirst { first = new } else { old.before!.link(next: new) }
    if let following = old.next { following.link(before: new) } else if !isFirst { first!.link(before: new) }
    old.link(next: nil)
    old.link(before: nil)
  }
}

/// The list of other children: those that are not in the waiting list. Children with the mark
/// `mayHavePending` precede children without it.
extension TreeNode {
  @inline(__always) var firstChildWithPending: TreeNode? {
    guard let first = firstChild, first.mayHavePending else { return nil }
    return first
  }

  /// Adds a child to the other children: in front if it has the mark `mayHavePending`.
  @inline(__always)
  func insert(_ child: TreeNode) {
    child.up = self
    if child.isKept { mayHaveKeptChildren = true }
    var list = TreeNodeList(first: firstChild)
    if child.mayHavePending { list.prepend(child) } else { list.append(child) }
    link(firstChild: list.first)
  }

  func replace(_ child: TreeNode, with other: TreeNode) {
    var list = TreeNodeList(first: firstChild)
    list.replace(child, with: other)
    link(firstChild: list.first)
  }

  @inline(__always)
  func remove(_ child: TreeNode) {
    var list = TreeNodeList(first: firstChild)
    list.remove(child)
    link(firstChild: list.first)
  }
}

/// The children that wait for a promise, oldest first.
///
/// INVARIANT. Guarded by the tree's lock. The list retains its members: `append` retains a member, and a
/// removal passes that reference to the caller.
struct WaitingList {
  private var list = TreeNodeList()

  @inline(__always) var isEmpty: Bool { list.first == nil }
  @inline(__always) var first: Promise? { list.first?.held }
  @inline(__always) var firstKind: Handler.Kind? { list.first?.held.kind }
  @inline(__always) var isFirstLate: Bool { list.first?.held.flags.contains(.isLate) ?? false }

  /// Whether there is exactly one member.
  @inline(__always) var hasOne: Bool { list.first.map { $0.next == nil } ?? false }

  /// The node of `child`, or the first node if `child` is not a member.
  func node(of child: Promise?) -> TreeNode? {
    guard let child, child.flags.contains(.waiting) else { return list.first }
    return child.node
  }

  func following(_ child: Promise) -> Promise? { child.node?.next?.held }

  @inline(__always)
  mutating func append(_ child: TreeNode) {
    child.retain()
    list.append(child)
  }

  @inline(__always)
  mutating func popFirst() -> Promise? {
    guard let first = list.first else { return nil }
    list.remove(first)
    return first.takeRetained()
  }

  /// Removes a member. Returns the list's reference.
  mutating func remove(_ child: TreeNode) -> Promise {
    list.remove(child)
    return child.takeRetained()
  }
}
