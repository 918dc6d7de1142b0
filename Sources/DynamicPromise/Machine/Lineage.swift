// The tree: how a promise finds its ancestors, and how a cancellation finds pending descendants, without
// anybody keeping a settled promise alive (C3, L1, L3).
//
// DOWN. A promise knows its *pending* children: those in `waiting` (held: L1) and those in `active` (not held: a job,
// a running handler or an adopted promise holds them). A settled child leaves its parent's lists.
//
// UP. A pending child holds its parent. When it settles it lets go and needs another way up:
//
//   - nobody else holds the parent: the parent is about to go, the child takes over the parent's own way up;
//   - somebody does: the parent counts the child among its *descendants* (in the upper bits of its word). When a promise
//     that has some goes away, its memory stays: its *remains*, of which only `word`, `up`, `active` and its place in a list
//     are used any more. They forward, until the last descendant has left. What remains of promises is skipped
//     wherever somebody comes past, so that chains of them do not grow.
//
// Where the only descendant has nothing pending below it, its ancestor knows it as its *heir*: when that one goes, the heir is
// given its way up, and nothing remains. So the promises of a chain that is built step by step, of which only the last one is held, go
// one by one. Whoever has a way up says so in its own word (`hasAncestor`), and reads it under its own lock even in its `deinit`.
//
// DOWN AGAIN. A settled promise below which something is pending is *active*, and *enrolled* in the `active` list of the
// ancestor that its way up leads to, which is active by that; so `cancel()` on any held promise finds everything pending
// below it, through whatever no longer exists. The work per settled child is constant: whoever takes over a way up
// also takes over the place in that list. Once enrolled a promise stays so until it goes: in a chain of held promises
// every step would otherwise enrol and remove the whole path above it.
//
// A list holds none of its members, and some may be on their way out. But under the lock of the list the memory of each
// is there: whoever goes leaves the list first, under that lock, or stays in it as remains, and is kept by the descendants that
// make it active. So a walker keeps the memory, under that lock, and later asks whether the promise still exists.
//
// LOCK ORDER. Upwards only: child < parent < next ancestor < ... Whether a parent is held by nobody else is asked under the lock
// of the list in which it stands, because that is where a walker would take its reference. An heir's lock is tried, not waited for: it may
// be waiting for the one above.

/// The way up, in one word. Owns what it says, by hand: a reference to the parent, or a place among the ancestor's descendants.
struct Up {
  private var word: UInt = 0

  static var none: Up { Up() }

  private init() {}

  /// The parent, while pending; owns one reference.
  @inline(__always)
  init(parent: Unmanaged<Promise>) { word = UInt(bitPattern: parent.toOpaque()) }

  /// The parent, as long as the stack on which the handler runs is that of a call of the parent, which is held by its caller.
  @inline(__always)
  init(borrowing parent: Promise) {
    word = UInt(bitPattern: Unmanaged.passUnretained(parent).toOpaque()) | Self.borrowed
  }

  private static let borrowed: UInt = 2

  @inline(__always) var isBorrowed: Bool { word & Self.borrowed != 0 }

  /// The next ancestor, afterwards; owns a place among its descendants.
  @inline(__always)
  init(ancestor: Unmanaged<Promise>) { word = UInt(bitPattern: ancestor.toOpaque()) | 1 }

  @inline(__always) var isNone: Bool { word == 0 }

  @inline(__always) var parent: Unmanaged<Promise>? {
    word & 1 == 0 ? UnsafeRawPointer(bitPattern: word & ~Self.borrowed).map { Unmanaged.fromOpaque($0) } : nil
  }

  @inline(__always) var ancestor: Unmanaged<Promise>? {
    word & 1 != 0 ? UnsafeRawPointer(bitPattern: word & ~1).map { Unmanaged.fromOpaque($0) } : nil
  }
}

/// How many cancellations are on their way through lists of descendants. Meanwhile nobody active moves up past remains: a walker that
/// has taken those out of the list above, and has still to visit them, would find them empty, and has been above.
/// Whoever wants to move asks under the lock of the list above, from which the walker takes them. And while there is a walker, who may
/// know of any promise without keeping it, none goes without having marked itself as gone.
enum Walkers {
  private static let word = LockedWord(0)

  static func add() {
    let bits = word.lock()
    word.unlock(bits + 2)
  }

  static func remove() {
    let bits = word.lock()
    word.unlock(bits - 2)
  }

  static var isNobody: Bool { word.peek() == 0 }
}

extension Promise {
  var isActive: Bool {
    if waiting != nil { return true }
    return active != nil
  }

  /// The nearest ancestor that still exists.
  var nearestAncestor: Promise? {
    _ = word.lock()
    return Promise.nearestAncestor(ofLocked: .passUnretained(self))
  }

  /// The same for a promise, or what remains of it, that is locked; unlocks it. Goes hand over hand: below a locked
  /// promise nobody loses its place, so that what is above stays.
  static func nearestAncestor(ofLocked start: Unmanaged<Promise>) -> Promise? {
    var current = start
    while true {
      let found = current.use { promise -> (Promise?, Unmanaged<Promise>?) in
        if let parent = promise.up.parent { return (parent.takeUnretainedValue(), nil) }
        guard let above = promise.up.ancestor else { return (nil, nil) }
        let aboveBits = above.use { $0.word.lock() }
        guard aboveBits & State.gone == 0, let ancestor = above.ifAlive else { return (nil, above) }
        above.use { $0.word.unlock(aboveBits) }
        return (ancestor, nil)
      }
      current.use { $0.word.unlock($0.word.peek()) }
      guard let further = found.1 else { return found.0 }
      current = further
    }
  }

  /// Gives up a place among the descendants of `start`, and what remains of it if that was the last one, and so on up.
  ///
  /// Hand over hand: whoever leaves is locked until this has been said above, where it may be known as the heir.
  static func leaveDescendants(of start: Unmanaged<Promise>) {
    var ancestor = start
    var bits = ancestor.use { $0.loseDescendant() }
    while bits & State.gone != 0, !State.hasDescendants(bits), let above = ancestor.use({ $0.up.ancestor }) {
      let aboveBits = above.use { $0.loseDescendant() }
      ancestor.use { $0.word.unlock(bits) }
      ancestor.releaseMemory()
      ancestor = above
      bits = aboveBits
    }
    ancestor.use { $0.word.unlock(bits) }
    if bits & State.gone != 0, !State.hasDescendants(bits) { ancestor.releaseMemory() }
  }

  /// Locks, and counts one descendant less.
  private func loseDescendant() -> UInt {
    let bits = word.lock() - State.descendant
    forgetHeir()
    return bits
  }

  /// Counts one more descendant.
  @inline(__always)
  func gainDescendant() {
    let bits = word.lock()
    forgetHeir()
    word.unlock(bits + State.descendant)
  }

  // The heir of a promise, which is locked.

  /// Somebody else counts on it, too, or the only one does no longer.
  @inline(__always)
  func forgetHeir() {
    if below.heir != nil { below = Below() }
  }

  /// `descendant` is counted for the first time.
  @inline(__always)
  func noteHeir(_ descendant: Promise, _ bits: UInt) {
    if below.isNone, bits < 2 * State.descendant {
      below = Below(heir: .passUnretained(descendant))
    } else {
      forgetHeir()
    }
  }

  /// The place of `former` among the descendants is that of `heir` now.
  @inline(__always)
  func replaceHeir(_ former: Unmanaged<Promise>, with heir: Unmanaged<Promise>) {
    if below.heir?.toOpaque() == former.toOpaque() { below = Below(heir: heir) }
  }
}

/// What came loose under a lock and is released after it (X4). Whoever makes one ends with `clear()`, after the lock was
/// given back. References are counted by hand: copies would cost more than the rest of a settling.
struct Debris {
  var promise: Unmanaged<Promise>?
  var child: Unmanaged<Promise>?
  var ancestor: Unmanaged<Promise>?

  @inline(__always) init() {}

  /// Lets go of everything.
  @inline(__always)
  consuming func clear() {
    promise?.release()
    child?.release()
    if let ancestor { Promise.leaveDescendants(of: ancestor) }
  }
}
