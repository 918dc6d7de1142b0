/// Counts critical sections and link traversals, so tests can assert linear time and short sections.
package struct LockedWork: Sendable {
  /// The number of critical sections.
  package private(set) var sections = 0
  /// The number of links between promises that were followed or changed in all sections.
  package private(set) var steps = 0
  /// The number of links in the longest section.
  package private(set) var longest = 0

  private var holdsTree = false
  private var length = 0

  /// Counts the work that `body` does under trees' locks on this thread. Release builds count nothing.
  package static func count(in body: () throws -> Void) rethrows -> LockedWork {
    CurrentThread.current.lockedWork = LockedWork()
    try body()
    return CurrentThread.current.lockedWork
  }

  // MARK: Called by locks and links

  @inline(__always)
  static func begin() {
    assert(!CurrentThread.current.lockedWork.holdsTree, "two trees are locked at once")
    assert({ CurrentThread.current.lockedWork.begin() }() == ())
  }

  /// Counts a link that is followed or changed under the tree's lock.
  @inline(__always) static func step() { assert({ CurrentThread.current.lockedWork.length += 1 }() == ()) }

  @inline(__always) static func end() { assert({ CurrentThread.current.lockedWork.end() }() == ()) }

  private mutating func begin() { (holdsTree, length) = (true, 0) }

  private mutating func end() {
    assert(holdsTree, "an unlocked tree is unlocked")
    holdsTree = false
    sections += 1
    steps += length
    longest = max(longest, length)
  }
}
