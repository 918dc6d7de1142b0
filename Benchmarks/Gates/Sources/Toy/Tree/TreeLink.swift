// A promise of a tree without reference counting, with the tree's lock held.

import Synchronization

typealias Link = Unmanaged<TreePromise>

/// The lowest bits of a promise's word.
enum TreeState {
  static let mask: UInt = 63
  /// Pending: a handler waits.
  static let waiting: UInt = 0
  /// Pending: the handler runs.
  static let started: UInt = 1
  /// Pending: a root, which is resolved from outside.
  static let root: UInt = 2
  static let fulfilled: UInt = 3
  static let rejected: UInt = 4
  /// Cancelled because a promise above it was.
  static let cancelled: UInt = 5

  @inline(__always)
  static func isPending(_ state: UInt) -> Bool { state <= root }
}

/// A function in a field is stored as it is; as a value of a generic type it might be wrapped (a
/// reabstraction thunk).
struct TreeHandler {
  let call: TreePromise.Handler
}

extension Unmanaged where Instance == TreePromise {
  @inline(__always)
  var word: UInt { _withUnsafeGuaranteedRef { $0.word.load(ordering: .relaxed) } }

  @inline(__always)
  var state: UInt { word & TreeState.mask }

  @inline(__always)
  var lock: TreeLock { TreeLock(address: word & ~TreeState.mask) }

  /// What belongs to the new state has been stored.
  @inline(__always)
  func become(_ state: UInt) {
    let now = lock.address | state
    _withUnsafeGuaranteedRef { $0.word.store(now, ordering: .releasing) }
  }

  // What is in the store. Behind the object's two words and its own `word`: to ask the object for the address
  // would count a reference.

  @inline(__always)
  private func store<Content>(at offset: Int) -> UnsafeMutablePointer<Content> {
    (UnsafeMutableRawPointer(toOpaque()) + (3 * MemoryLayout<UInt>.size + offset))
      .assumingMemoryBound(to: Content.self)
  }

  @inline(__always)
  var value: UnsafeMutablePointer<Any> { store(at: 0) }

  @inline(__always)
  var handler: UnsafeMutablePointer<TreeHandler> { store(at: 0) }

  /// Beside the handler, which whoever cancels frees later.
  @inline(__always)
  var error: UnsafeMutablePointer<any Error> { store(at: 3 * MemoryLayout<UInt>.size) }

  // Where it stands.

  @inline(__always)
  var up: Link? {
    get { _withUnsafeGuaranteedRef { $0.up.load(ordering: .relaxed) } }
    nonmutating set { _withUnsafeGuaranteedRef { $0.up.store(newValue, ordering: .releasing) } }
  }

  @inline(__always)
  var first: Link? {
    get { _withUnsafeGuaranteedRef { $0.first.load(ordering: .relaxed) } }
    nonmutating set { _withUnsafeGuaranteedRef { $0.first.store(newValue, ordering: .releasing) } }
  }

  /// Whether it is in the list of `up`.
  @inline(__always)
  var next: Link {
    get { _withUnsafeGuaranteedRef { $0.next.unsafelyUnwrapped } }
    nonmutating set { _withUnsafeGuaranteedRef { $0.next = newValue } }
  }

  @inline(__always)
  var previous: Link {
    get { _withUnsafeGuaranteedRef { $0.previous.unsafelyUnwrapped } }
    nonmutating set { _withUnsafeGuaranteedRef { $0.previous = newValue } }
  }

  @inline(__always)
  func isSame(as other: Link) -> Bool { toOpaque() == other.toOpaque() }

  /// Whether there is one reference only. With the lock held another one can be made only from that one.
  @inline(__always)
  var isUnique: Bool {
    var address = UInt(bitPattern: toOpaque())
    return _withUnprotectedUnsafeMutablePointer(to: &address) {
      UnsafeMutableRawPointer($0).withMemoryRebound(to: TreePromise.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// Enters itself as the last in the list.
  @inline(__always)
  func append(_ child: Link) {
    if let first {
      let last = first.previous
      last.next = child
      child.previous = last
      child.next = first
      first.previous = child
    } else {
      child.next = child
      child.previous = child
      first = child
    }
  }

  /// Leaves the list.
  @inline(__always)
  func remove(_ child: Link) {
    let next = child.next
    if next.isSame(as: child) { return first = nil }
    let previous = child.previous
    previous.next = next
    next.previous = previous
    if first.unsafelyUnwrapped.isSame(as: child) { first = next }
  }

  /// Puts `child`, which is in no list, in the place of `former`.
  @inline(__always)
  func replace(_ former: Link, with child: Link) {
    let next = former.next
    if next.isSame(as: former) {
      child.next = child
      child.previous = child
      first = child
    } else {
      let previous = former.previous
      previous.next = child
      child.previous = previous
      child.next = next
      next.previous = child
      if first.unsafelyUnwrapped.isSame(as: former) { first = child }
    }
  }

  /// `child`, the first one, is about to run. Those that wait stand in front of it.
  @inline(__always)
  func start(_ child: Link) {
    child.become(TreeState.started)
    first = child.next
  }

  /// The next child whose handler has to run.
  @inline(__always)
  var waiting: Link? {
    guard let first, first.state == TreeState.waiting else { return nil }
    return first
  }

  /// Its children take its place. The last reference has gone.
  @inline(never)
  func leaveTree() {
    let lock = lock
    lock.lock()
    let above = up
    if let eldest = first {
      var child = eldest
      repeat {
        let next = child.next
        above?.append(child)
        child.up = above
        child = next
      } while !child.isSame(as: eldest)
    }
    above?.remove(self)
    lock.unlock()
  }
}
