// The search without a bound. If schedules differ only in the order of independent steps, the search runs
// only one of these schedules. The method is dynamic partial order reduction with source sets and sleep sets
// (Abdulla, Aronis, Jonsson, Sagonas 2014).
//
// Two steps depend on each other if one step writes state that the other step uses. This state may be a lock,
// a queue, the events of a program, or the lifetime of an object. The last release of a reference writes the
// lifetime, and a weak load reads it. A weak load also depends on other releases, because without the load
// they could be last releases.

internal import Hooks

final class FullSearch: Search {
  /// The next step of a thread. It is known because it was tried at this choice before.
  private struct Known {
    let thread: Int
    let accesses: [UInt64]
  }

  /// The choice before a step.
  private struct Node {
    var thread: Int
    let usual: Int
    let ready: UInt32
    /// The threads that must be tried here, as bits.
    var open: UInt32
    /// The threads that need not be tried. Each such thread was tried here, or earlier without a dependent
    /// step in between.
    var asleep: [Known]
    /// The threads in `asleep`, as bits.
    var sleepers: UInt32 { asleep.reduce(0) { $0 | 1 << UInt32($1.thread) } }
  }

  /// A step that was run.
  private struct Step {
    let thread: Int
    let accesses: [UInt64]
    /// For each thread, the number of its steps that happened before this step. Includes this step.
    let clock: [Int32]
  }

  private struct Uses {
    var write = -1
    var reads: [Int] = []
    var releases: [Int] = []
  }

  private var nodes: [Node] = []
  private var steps: [Step] = []
  private var uses: [UInt64: Uses] = [:]
  private var clocks: [[Int32]] = []
  /// The first step whose races are new.
  private var firstNew = 0
  private var isCut = false
  private var running = -1
  private var hasBegun = false

  var schedule: Schedule {
    var schedule = Schedule()
    for (step, node) in nodes.enumerated() where node.thread != node.usual {
      schedule.append(step: step, thread: node.thread)
    }
    return schedule
  }

  func nextRun() -> Bool {
    if hasBegun {
      guard advance() else { return false }
    }
    hasBegun = true
    firstNew = max(0, nodes.count - 1)
    steps.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    clocks = Array(
      repeating: Array(repeating: 0, count: Scheduler.mostThreads), count: Scheduler.mostThreads)
    isCut = false
    running = -1
    return true
  }

  /// Moves to the deepest choice that is still open.
  private func advance() -> Bool {
    while let node = nodes.last {
      let index = nodes.count - 1
      nodes[index].asleep.append(Known(thread: node.thread, accesses: steps[index].accesses))
      let left = node.open & ~nodes[index].sleepers
      if left != 0 {
        nodes[index].thread = left.trailingZeroBitCount
        return true
      }
      nodes.removeLast()
    }
    return false
  }

  func next(step: Int, usual: Int, isForced: Bool, ready: UInt32) -> Int {
    finishStep()
    let thread = choose(step: step, usual: usual, ready: ready)
    running = isCut ? -1 : thread
    hooks_clear()
    return thread
  }

  func ended() { finishStep() }

  func starts(_ thread: Int) {
    guard running >= 0 else { return }
    // The step that starts the thread has no number yet. It is the next step of the running thread.
    var clock = clocks[running]
    clock[running] += 1
    clocks[thread] = clock
    starting.append(thread)
  }

  /// The threads that the current step has started. All steps before the current step are also before these
  /// threads.
  private var starting: [Int] = []

  private func choose(step: Int, usual: Int, ready: UInt32) -> Int {
    if isCut { return usual }
    if step < nodes.count { return nodes[step].thread }
    var asleep: [Known] = []
    if step > 0 {
      let last = steps[step - 1]
      for known in nodes[step - 1].asleep
      where known.thread != last.thread && !FullSearch.depends(known.accesses, on: last.accesses) {
        asleep.append(known)
      }
    }
    let awake = asleep.reduce(ready) { $0 & ~(1 << UInt32($1.thread)) }
    guard awake != 0 else {
      isCut = true
      return usual
    }
    let thread = awake & (1 << UInt32(usual)) != 0 ? usual : awake.trailingZeroBitCount
    if thread != usual { LastWords.extend(step: step, thread: thread) }
    nodes.append(
      Node(
        thread: thread, usual: usual, ready: ready, open: 1 << UInt32(thread),
        asleep: asleep))
    return thread
  }

  // MARK: Dependencies

  private func finishStep() {
    guard running >= 0 else { return }
    var count = 0
    let start = hooks_accesses(&count)
    let accesses = Array(UnsafeBufferPointer(start: start, count: count))
    let index = steps.count
    var clock = clocks[running]
    var rivals: [Int] = []
    for access in accesses {
      let known = uses[access >> 34] ?? Uses()
      if known.write >= 0 { rivals.append(known.write) }
      if FullSearch.releases(access) > 0 || access & 1 != 0 { rivals += known.reads }
      if FullSearch.reads(access) || access & 1 != 0 { rivals += known.releases }
    }
    if rivals.count > 1 { rivals.sort(by: >) }
    var races: [Int] = []
    for rival in rivals where !happened(rival, before: clock) {
      if index >= firstNew { races.append(rival) }
      join(&clock, steps[rival].clock)
    }
    clock[running] += 1
    clocks[running] = clock
    for thread in starting { clocks[thread] = clock }
    starting.removeAll()
    steps.append(Step(thread: running, accesses: accesses, clock: clock))
    for access in accesses {
      var known = uses[access >> 34] ?? Uses()
      if access & 1 != 0 { known = Uses(write: index) }
      if FullSearch.reads(access) { known.reads.append(index) }
      if FullSearch.releases(access) > 0 { known.releases.append(index) }
      uses[access >> 34] = known
    }
    for rival in races { open(rival, index) }
  }

  private func happened(_ step: Int, before clock: [Int32]) -> Bool {
    let thread = steps[step].thread
    return clock[thread] >= steps[step].clock[thread]
  }

  private func join(_ clock: inout [Int32], _ other: [Int32]) {
    for thread in clock.indices where other[thread] > clock[thread] { clock[thread] = other[thread] }
  }

  /// Adds a thread that must be tried at `early`, so that `late` comes before `early` in some run.
  private func open(_ early: Int, _ late: Int) {
    var initials: UInt32 = 0
    var seen: UInt32 = 0
    var between: [Int] = []
    for index in (early + 1)...late
    where index == late || !happened(early, before: steps[index].clock) {
      let bit: UInt32 = 1 << UInt32(steps[index].thread)
      if seen & bit == 0, !between.contains(where: { happened($0, before: steps[index].clock) }) {
        initials |= bit
      }
      seen |= bit
      between.append(index)
    }
    let node = nodes[early]
    if initials & (node.open | node.sleepers) != 0 { return }
    let possible = initials & node.ready
    if possible == 0 { return nodes[early].open |= node.ready }
    let preferred: UInt32 = 1 << UInt32(steps[late].thread)
    nodes[early].open |= possible & preferred != 0 ? preferred : possible & (~possible + 1)
  }

  /// Whether a known step would change if the step `done` came before it. Two releases also depend on each
  /// other if together they release the last references.
  private static func depends(_ known: [UInt64], on done: [UInt64]) -> Bool {
    for access in known {
      for rival in done where access >> 34 == rival >> 34 {
        if (access | rival) & 1 != 0 { return true }
        let counts = (releases(access), releases(rival))
        if reads(access) && counts.1 > 0 || reads(rival) && counts.0 > 0 { return true }
        if counts.0 > 0, counts.1 > 0, (rival >> 1) & 0xFFFF <= counts.0 { return true }
      }
    }
    return false
  }

  private static func reads(_ access: UInt64) -> Bool { (access >> 33) & 1 != 0 }
  private static func releases(_ access: UInt64) -> UInt64 { (access >> 17) & 0xFFFF }
}
