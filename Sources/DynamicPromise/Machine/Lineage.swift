// The tree: how a promise finds its ancestors, and how a cancellation finds pending descendants, without
// anybody keeping a settled promise alive (C3, L1, L3).
//
// DOWN. A promise knows its *pending* children: those in `waiting` (held: L1) and those in `active` (not held: a job,
// a running handler or an adopted promise holds them). A settled child leaves its parent's lists.
//
// UP. A pending child holds its parent. When it settles it lets go and needs another way up:
//
//   - nobody else holds the parent: the parent is about to go, the child takes over the parent's own way up;
//   - somebody does: the child holds the parent's `Link`, a small object that stands for the parent and outlives it.
//     A link knows its promise weakly and the link of the next ancestor above; when the promise goes away the link
//     is *dead* and only forwards. One link per held promise, made on first need.
//
// DOWN AGAIN. A settled promise that still has pending descendants is *active*. Active promises are enrolled in
// the list of the link above them, active links in the list of the link above those, so that `cancel()` on any held
// promise finds everything pending below it, through whatever no longer exists. The work per settled child is
// constant: whoever takes over a way up also takes over the place in that list.
//
// WHAT A LIST MAY HOLD. A walker takes strong references to entries under the list's lock, so an entry must not be a
// promise that may be going away: a promise stands there itself only while something is bound to take it out
// before letting it go (its job; its pending child). As soon as somebody else's reference may be the last one (it is
// settled and held, or it has adopted a pending promise), its link stands there instead.
//
// LOCK ORDER. Upwards only: promise < its link < its parent < the parent's link < the link above < ... Whether a
// parent is held by nobody else is asked under the lock of the list in which it stands, because that is where a
// walker would take its reference.

/// Where a promise stands in the lists of its parent.
enum Place: UInt8 {
  case none
  /// In `waiting`, held.
  case waiting
  /// In `active`, as itself, not held.
  case active
  /// In `active`, by its link; the link is held.
  case link
}

/// The way up. Owns one reference, by hand: whether somebody else holds the parent is asked often, and a copy made by
/// the compiler would falsify the answer.
enum Up {
  case none
  /// While pending.
  case parent(Unmanaged<Promise>)
  /// Afterwards.
  case link(Unmanaged<Link>)
}

/// A member of an `active` list; guarded by the list's owner.
enum Entry {
  case promise(Unmanaged<Promise>)
  case link(Unmanaged<Link>)

  var next: Entry? {
    get {
      switch self {
      case .promise(let promise): promise._withUnsafeGuaranteedRef { $0.next }
      case .link(let link): link._withUnsafeGuaranteedRef { $0.next }
      }
    }
    nonmutating set {
      switch self {
      case .promise(let promise): promise._withUnsafeGuaranteedRef { $0.next = newValue }
      case .link(let link): link._withUnsafeGuaranteedRef { $0.next = newValue }
      }
    }
  }

  var previous: Entry? {
    get {
      switch self {
      case .promise(let promise): promise._withUnsafeGuaranteedRef { $0.previous }
      case .link(let link): link._withUnsafeGuaranteedRef { $0.previous }
      }
    }
    nonmutating set {
      switch self {
      case .promise(let promise): promise._withUnsafeGuaranteedRef { $0.previous = newValue }
      case .link(let link): link._withUnsafeGuaranteedRef { $0.previous = newValue }
      }
    }
  }

  /// Puts the entry in front of the list that begins at `head`.
  func push(to head: inout Entry?) {
    previous = nil
    next = head
    head?.previous = self
    head = self
  }

  /// Takes the entry out of the list that begins at `head`.
  func remove(from head: inout Entry?) {
    let before = previous
    let after = next
    if let before { before.next = after } else { head = after }
    after?.previous = before
    previous = nil
    next = nil
  }

  /// Strong references to all entries from `head` on, for a walker; the caller holds the list's lock.
  static func collect(from head: Entry?, into walk: inout [Descendant]) {
    var entry = head
    while let current = entry {
      switch current {
      case .promise(let promise): walk.append(.promise(promise.takeUnretainedValue()))
      case .link(let link): walk.append(.link(link.takeUnretainedValue()))
      }
      entry = current.next
    }
  }
}

/// How many cancellations are on their way through lists of links. Meanwhile nobody moves up past a dead link: a walker that
/// has taken that link out of the list above, and has still to visit it, would find it empty, and has been above.
/// Whoever wants to move asks under the lock of the list above, from which the walker takes the link.
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

/// What a walker goes on to.
enum Descendant {
  case promise(Promise)
  case link(Link)
}

/// Stands for a promise towards its settled descendants, and after its death only forwards.
final class Link: @unchecked Sendable {
  /// The promise is settled (or gone), so that `up` is final and the link may be enrolled.
  static let rooted: UInt = 1 << 1
  /// The promise itself has pending children.
  static let ownerActive: UInt = 1 << 2
  /// Enrolled in `up`.
  static let enrolled: UInt = 1 << 3
  /// The promise is gone.
  static let dead: UInt = 1 << 4

  let word = LockedWord(0)
  /// The promise, if it still exists.
  private(set) weak var promise: Promise?
  /// The next link above; valid once rooted.
  @exclusivity(unchecked) var up: Link?
  /// Active settled promises and links right below.
  @exclusivity(unchecked) var active: Entry?
  @exclusivity(unchecked) var previous: Entry?
  @exclusivity(unchecked) var next: Entry?

  init(_ promise: Promise) { self.promise = promise }

  /// A chain of dead links may be long; releasing it must not recurse (L4).
  deinit {
    var above = up
    up = nil
    while above != nil, isKnownUniquelyReferenced(&above) {
      let next = above!.up
      above!.up = nil
      above = next
    }
  }

  func isActive(_ bits: UInt) -> Bool { bits & Link.ownerActive != 0 || active != nil }

  /// The nearest link, this one included, whose promise exists.
  static func nearest(_ start: Link?) -> Link? {
    var candidate = start
    while let link = candidate {
      let bits = link.word.lock()
      let above = link.up
      link.word.unlock(bits)
      if bits & Link.dead == 0 { return link }
      candidate = above
    }
    return nil
  }
}

/// What came loose under a lock and is released after it (X4). Whoever makes one ends with `clear()`, after the lock was
/// given back. References are counted by hand: copies would cost more than the rest of a settling.
struct Debris: ~Copyable {
  var promise: Unmanaged<Promise>?
  var child: Unmanaged<Promise>?
  var slot: Slot = .nothing
  private var rest: [AnyObject] = []

  init() {}

  mutating func add(_ object: AnyObject) { rest.append(object) }

  /// Lets go of everything.
  consuming func clear() {
    promise?.release()
    child?.release()
  }

  /// Moves the promise out.
  mutating func takePromise() -> Unmanaged<Promise>? { promise.take() }
}
