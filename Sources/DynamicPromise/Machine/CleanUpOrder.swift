// In which order clean-up is scheduled: that of what was followed before that of the follower.
//
// A cancelled promise that withdraws from others begins a *group*. All that settles because of it belongs to
// the group, until one of those withdraws, too, and begins a group of its own. Outcomes do not wait. Only the
// scheduling of handlers does: the groups come after everything else, and each comes after
//
// - the group in which it was begun,
// - the groups of the promises from which it has withdrawn, and where the cancel above them has begun.
//
// What was cancelled and has withdrawn from nothing is in no group, so it comes first.

/// The groups of one thread.
struct CleanUpOrder {
  private struct Group {
    /// The group in which it was begun; zero if none.
    var cause: Int
    /// The promises from which it has withdrawn.
    var targets = FIFO<Promise>()
    /// Settled promises with handlers to schedule.
    var dispatches = FIFO<Promise>()
    /// Has come, or comes when those before it have.
    var isTaken = false
  }

  /// The number of the group to which the present step belongs; zero: none.
  private(set) var current = 0
  /// Group n has the index n - 1.
  private var groups: [Group] = []
  /// Groups that were taken: each one waits for the next.
  private var taken: [Int] = []
  /// Those with lower numbers were taken.
  private var next = 1
  /// How many dispatches wait in all groups.
  private(set) var count = 0
  /// The groups of promises, which are only compared.
  private var members: [ObjectIdentifier: Int] = [:]
  /// Pending promises from which a search for a group has gone up.
  private var passed: Set<ObjectIdentifier> = []

  init() {}

  @inline(__always) var isEmpty: Bool { groups.isEmpty }

  /// Begins a group inside the present one.
  ///
  /// - Returns: The present one, for ``enter(_:)``.
  mutating func begin() -> Int {
    let cause = current
    groups.append(Group(cause: cause))
    current = groups.count
    return cause
  }

  @inline(__always)
  mutating func enter(_ group: Int) { current = group }

  // In a group.

  mutating func add(member promise: Promise) { members[ObjectIdentifier(promise)] = current }

  mutating func add(target: Promise) { groups[current - 1].targets.append(target) }

  mutating func add(dispatch promise: consuming Promise) {
    assert(!groups[current - 1].isTaken, "a group that has come")
    groups[current - 1].dispatches.append(promise)
    count += 1
  }

  /// The next dispatch. Called when all outcomes are known, with nothing locked. The caller releases
  /// `released`.
  mutating func takeDispatch(_ released: inout [Promise]) -> Promise? {
    guard count > 0 else { return nil }
    while true {
      guard let group = taken.last else {
        take(next)
        next += 1
        continue
      }
      if let former = takeFormer(of: group, &released) {
        take(former)
      } else if let promise = groups[group - 1].dispatches.popFirst() {
        count -= 1
        return promise
      } else {
        taken.removeLast()
      }
    }
  }

  private mutating func take(_ group: Int) {
    guard group > 0, !groups[group - 1].isTaken else { return }
    groups[group - 1].isTaken = true
    taken.append(group)
  }

  /// A group that comes before this one, zero if that is none; `nil` if there are no more.
  private mutating func takeFormer(of group: Int, _ released: inout [Promise]) -> Int? {
    if groups[group - 1].cause > 0 {
      defer { groups[group - 1].cause = 0 }
      return groups[group - 1].cause
    }
    guard let target = groups[group - 1].targets.popFirst() else { return nil }
    return self.group(of: target, &released)
  }

  /// The group of a settled promise, or of the settled one that a pending promise waits for.
  private mutating func group(of target: Promise, _ released: inout [Promise]) -> Int {
    var current = target
    released.append(current)
    // A group need not come before itself.
    while groups.count > 1 {
      let parent = current.lock.with { current.state.isSettled ? nil : current.heldParent }
      guard let parent else { break }
      guard passed.insert(ObjectIdentifier(current)).inserted else { return 0 }
      current = parent
      released.append(current)
    }
    return members[ObjectIdentifier(current)] ?? 0
  }
}
