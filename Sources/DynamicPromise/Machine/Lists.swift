// The two lists of a promise: children that wait, in order, and whatever is active below it. Guarded by its lock.

/// Which list a promise stands in, and what stands before it there, in one word.
struct Position {
  enum Place: UInt {
    case none
    /// In `waiting`, held.
    case waiting
    /// In `active`, not held.
    case active
    /// In `active`, and its parent's dispatching goes on when this child has started (`Dispatching.swift`).
    case dispatching
  }

  private var word: UInt = 0

  init() {}

  @inline(__always)
  init(_ place: Place, after before: Unmanaged<Promise>? = nil) {
    word = place.rawValue | (before.map { UInt(bitPattern: $0.toOpaque()) } ?? 0)
  }

  @inline(__always) var place: Place { Place(rawValue: word & 3)! }

  @inline(__always) var isActive: Bool { word & 3 >= Place.active.rawValue }

  @inline(__always) var before: Unmanaged<Promise>? {
    UnsafeRawPointer(bitPattern: word & ~3).map { Unmanaged.fromOpaque($0) }
  }

  @inline(__always) mutating func move(after before: Unmanaged<Promise>?) {
    self = Position(place, after: before)
  }
}

/// The first promise of the active list. Where that is empty and a single descendant counts on this promise, it may say which one
/// that is (`Lineage.swift`).
struct Below {
  private var word: UInt = 0

  @inline(__always) init() {}

  @inline(__always)
  init(_ first: Unmanaged<Promise>?) { word = first.map { UInt(bitPattern: $0.toOpaque()) } ?? 0 }

  @inline(__always)
  init(heir: Unmanaged<Promise>) { word = UInt(bitPattern: heir.toOpaque()) | 1 }

  @inline(__always) var isNone: Bool { word == 0 }

  @inline(__always) var first: Unmanaged<Promise>? {
    word & 1 == 0 ? UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) } : nil
  }

  @inline(__always) var heir: Unmanaged<Promise>? {
    word & 1 != 0 ? UnsafeRawPointer(bitPattern: word & ~1).map { Unmanaged.fromOpaque($0) } : nil
  }
}

extension Promise {
  /// The first promise of the active list.
  @inline(__always)
  var active: Unmanaged<Promise>? {
    get { below.first }
    set { below = Below(newValue) }
  }
}

// Children that wait. The first one's `before` is the last one.
extension Promise {
  @inline(__always)
  func appendWaiting(_ child: Promise) {
    let held = Unmanaged.passRetained(child)
    if let first = waiting {
      let last = first.use { $0.position.before! }
      last.use { $0.next = held }
      child.position = Position(.waiting, after: last)
      first.use { $0.position = Position(.waiting, after: held) }
    } else {
      child.position = Position(.waiting, after: held)
      waiting = held
    }
  }

  /// Takes the oldest child out; the hold on it goes to the caller.
  @inline(__always)
  func popWaiting() -> Unmanaged<Promise>? {
    guard let first = waiting else { return nil }
    first.use { child in
      waiting = child.next
      if let following = child.next { following.use { $0.position.move(after: child.position.before) } }
      child.next = nil
    }
    return first
  }

  /// Takes a child out; the hold on it goes to the caller.
  func removeWaiting(_ child: Promise) -> Unmanaged<Promise> {
    let held = Unmanaged.passUnretained(child)
    let first = waiting!
    if first.toOpaque() == held.toOpaque() { return popWaiting()! }
    let before = child.position.before!
    before.use { $0.next = child.next }
    (child.next ?? first).use { $0.position.move(after: before) }
    child.next = nil
    return held
  }

  /// Puts `heir` where `child` stands; the hold on `child` goes to the caller.
  func replaceWaiting(_ child: Promise, with heir: Promise) -> Unmanaged<Promise> {
    let held = Unmanaged.passUnretained(child)
    let new = Unmanaged.passRetained(heir)
    let first = waiting!
    let isFirst = first.toOpaque() == held.toOpaque()
    let isLast = child.next == nil
    heir.next = child.next
    heir.position = Position(.waiting, after: isFirst && isLast ? new : child.position.before)
    if isFirst { waiting = new } else { child.position.before!.use { $0.next = new } }
    if let following = child.next {
      following.use { $0.position.move(after: new) }
    } else if !isFirst {
      first.use { $0.position.move(after: new) }
    }
    child.next = nil
    return held
  }
}

// Whatever is active. What remains of promises may be among it, and its list is one of these, too: no closure here captures a
// promise, because in a build without optimisation that would count a reference to one that is being freed (`Faint.swift`).
extension Promise {
  @inline(__always)
  func pushActive(_ member: Unmanaged<Promise>, as place: Position.Place = .active) {
    let first = active
    if let first { first.use { $0.position.move(after: member) } }
    member.use {
      $0.position = Position(place)
      $0.next = first
    }
    active = member
  }

  @inline(__always)
  func removeActive(_ member: Unmanaged<Promise>) {
    let before = member.use { $0.position.before }
    let following = member.use { $0.next }
    if let before { before.use { $0.next = following } } else { active = following }
    if let following { following.use { $0.position.move(after: before) } }
    member.use {
      $0.position = Position()
      $0.next = nil
    }
  }

  /// Puts `heir` where `member` stands.
  @inline(__always)
  func replaceActive(_ member: Unmanaged<Promise>, with heir: Promise) {
    let new = Unmanaged.passUnretained(heir)
    let before = member.use { $0.position.before }
    let following = member.use { $0.next }
    heir.position = Position(.active, after: before)
    heir.next = following
    if let before { before.use { $0.next = new } } else { active = new }
    if let following { following.use { $0.position.move(after: new) } }
    member.use {
      $0.position = Position()
      $0.next = nil
    }
  }
}

/// What a walker goes on to.
enum Descendant {
  case promise(Promise)
  /// A member of an `active` list, which may be on its way out, or gone.
  case member(Member)

  final class Member {
    private let faint: Faint
    init(_ promise: Unmanaged<Promise>) { faint = Faint(promise) }

    /// The promise, or else what stands below that which remains of it.
    func promise(orBelow below: inout [Descendant]) -> Promise? {
      faint.look { $0.collectActive(&below) }
    }
  }
}

extension Promise {
  /// Adds the children that wait, oldest first. The promise is locked.
  func collectWaiting(_ walk: inout [Descendant]) {
    var child = waiting
    while let current = child {
      walk.append(.promise(current.takeUnretainedValue()))
      child = current.use { $0.next }
    }
  }

  /// Adds what is active, newest first. The promise is locked, and may be on its way out; the caller is among the `Walkers`.
  func collectActive(_ walk: inout [Descendant]) {
    var member = active
    while let current = member {
      walk.append(.member(Descendant.Member(current)))
      member = current.use { $0.next }
    }
  }
}
