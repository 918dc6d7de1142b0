// The order of clean-up: that of a followed promise is scheduled before that of its follower.
//
// A promise begins a *group* if it is cancelled and withdraws from others, or settles because what it
// followed was cancelled. All that settles because of it belongs to the group, until one of those begins its
// own. Outcomes do not wait. Only the scheduling of handlers does: the groups come after all other
// scheduling, and each comes after
//
// - the group in which it was begun,
// - the groups of the promises that its owner has followed (for a pending one, the group of the settled
//   ancestor that it waits for).
//
// A promise that is cancelled outside every group, and has followed nothing, comes first.

/// The groups of one thread.
struct CleanUpOrder {
  private struct Group {
    /// The promise that has begun it.
    let owner: ObjectIdentifier
    /// The group in which it was begun; zero if none.
    var cause: Int
    /// The promises that its owner has followed.
    var followed = FIFO<Promise>()
    /// Settled promises with handlers to schedule.
    var dispatches = FIFO<Promise>()
  }

  /// The number of the group to which the present step belongs; zero: none.
  private(set) var current = 0
  /// Group n has the index n - 1.
  private var groups: [Group] = []
  /// Groups that were taken: each one waits for the next. One that was taken twice has nothing left.
  private var taken: [Int] = []
  /// Those with lower numbers were taken.
  private var next = 1
  /// How many dispatches wait in all groups.
  private(set) var count = 0
  /// The groups of settled promises.
  private var members: [ObjectIdentifier: Int] = [:]
  /// Pending promises that a search for a group has passed.
  private var passed: Set<ObjectIdentifier> = []
  /// All of these promises, because another one could get the address of one that is freed. An array, because
  /// a dictionary would release them in an order that changes.
  private var kept: [Promise] = []

  init() {}

  @inline(__always) var isEmpty: Bool { groups.isEmpty }

  /// Begins a group inside the present one.
  ///
  /// - Returns: The present one, for ``enter(_:)``.
  mutating func begin(by owner: Promise) -> Int {
    let cause = current
    groups.append(Group(owner: ObjectIdentifier(owner), cause: cause))
    current = groups.count
    return cause
  }

  @inline(__always)
  mutating func enter(_ group: Int) { current = group }

  // In a group.

  mutating func add(member promise: Promise) {
    members[ObjectIdentifier(promise)] = current
    kept.append(promise)
  }

  /// The owner of the group has followed a promise, or collected it. (The result of a combinator that is
  /// decided in the group has collected promises, too. It does not wait for their clean-up.)
  mutating func add(followed promise: Promise, by owner: Promise) {
    guard groups[current - 1].owner == ObjectIdentifier(owner) else { return }
    groups[current - 1].followed.append(promise)
  }

  mutating func add(dispatch promise: consuming Promise) {
    groups[current - 1].dispatches.append(promise)
    count += 1
  }

  /// The next dispatch. Called when all outcomes are known, with nothing locked.
  mutating func takeDispatch() -> Promise? {
    guard count > 0 else { return nil }
    while true {
      guard let group = taken.last else {
        taken.append(next)
        next += 1
        continue
      }
      if let predecessor = takePredecessor(of: group) {
        if predecessor > 0 { taken.append(predecessor) }
      } else if let promise = groups[group - 1].dispatches.popFirst() {
        count -= 1
        return promise
      } else {
        taken.removeLast()
      }
    }
  }

  /// A group that comes before this one, zero if that is none; `nil` if there are no more. Each is taken out,
  /// so a ring of groups comes to an end.
  private mutating func takePredecessor(of group: Int) -> Int? {
    if groups[group - 1].cause > 0 {
      defer { groups[group - 1].cause = 0 }
      return groups[group - 1].cause
    }
    return groups[group - 1].followed.popFirst().map { self.group(of: $0) }
  }

  /// The group of a settled promise, or of the settled one that a pending promise waits for.
  private mutating func group(of promise: Promise) -> Int {
    var current = promise
    kept.append(current)
    while let parent = current.lock.with({ current.state.isSettled ? nil : current.heldParent }) {
      guard passed.insert(ObjectIdentifier(current)).inserted else { return 0 }
      current = parent
      kept.append(current)
    }
    return members[ObjectIdentifier(current)] ?? 0
  }
}
