// The order of clean-up: the handlers of a followed promise are scheduled before those of its follower.
//
// Two kinds of promises begin a *group*: a cancelled promise that withdraws from others, and a promise that
// settles because its target was cancelled. The promise is the group's *owner*. Each promise that settles
// because of the owner belongs to the owner's group, unless it begins a group itself. A group delays only the
// scheduling of handlers, not outcomes. Handlers outside every group are scheduled before the handlers of all
// groups. The handlers of a group are scheduled after the handlers of
//
// - the group in which this group began,
// - the groups of the promises that its owner has followed. The group of a pending promise is that of the
//   settled ancestor for which it waits.
//
// A promise that is cancelled outside every group and has followed nothing begins no group, so its handlers
// are scheduled before those of all groups.

/// The groups of one thread.
struct CleanUpOrder {
  private struct Group {
    /// The promise that began the group.
    let owner: ObjectIdentifier
    /// The group in which this group began; zero if none.
    var cause: Int
    /// The promises that the owner has followed.
    var followed = FIFO<Promise>()
    /// Settled promises whose handlers have to be scheduled.
    var dispatches = FIFO<Promise>()
  }

  /// The group of the current step; zero if none.
  private(set) var current = 0
  /// Group n has the index n - 1.
  private var groups: [Group] = []
  /// A stack: each group waits for the group after it. A group that is pushed twice is empty the second time.
  private var taken: [Int] = []
  /// The next group to push. All groups with lower numbers were pushed.
  private var next = 1
  /// The number of dispatches in all groups.
  private(set) var count = 0
  /// The group of each settled promise.
  private var members: [ObjectIdentifier: Int] = [:]
  /// Pending promises that `group(of:)` has visited.
  private var passed: Set<ObjectIdentifier> = []
  /// Retains the promises of the fields above, because a new promise could have the address of a freed
  /// promise. An array releases promises in a fixed order; a dictionary would not.
  private var kept: [Promise] = []

  init() {}

  @inline(__always) var isEmpty: Bool { groups.isEmpty }

  /// Begins a group inside the current group.
  ///
  /// - Returns: The outer group, for ``enter(_:)``.
  mutating func begin(by owner: Promise) -> Int {
    let cause = current
    groups.append(Group(owner: ObjectIdentifier(owner), cause: cause))
    current = groups.count
    return cause
  }

  @inline(__always)
  mutating func enter(_ group: Int) { current = group }

  // Called inside a group only.

  mutating func add(member promise: Promise) {
    members[ObjectIdentifier(promise)] = current
    kept.append(promise)
  }

  /// Records that the group's owner has followed or collected `promise`. Another `owner` is ignored: a
  /// combinator's result that settles in this group does not wait for the clean-up of its inputs.
  mutating func add(followed promise: Promise, by owner: Promise) {
    guard groups[current - 1].owner == ObjectIdentifier(owner) else { return }
    groups[current - 1].followed.append(promise)
  }

  mutating func add(dispatch promise: consuming Promise) {
    groups[current - 1].dispatches.append(promise)
    count += 1
  }

  /// Removes and returns the next promise to dispatch. Called when all outcomes are known, with nothing
  /// locked.
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

  /// Removes and returns a group that must precede this group: zero for a followed promise without a group,
  /// `nil` if no group is left. Each predecessor is removed once, so the search ends even in a ring of
  /// groups.
  private mutating func takePredecessor(of group: Int) -> Int? {
    if groups[group - 1].cause > 0 {
      defer { groups[group - 1].cause = 0 }
      return groups[group - 1].cause
    }
    return groups[group - 1].followed.popFirst().map { self.group(of: $0) }
  }

  /// The group of a settled promise. For a pending promise, the group of the settled ancestor for which it
  /// waits. Zero if there is no such group.
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
