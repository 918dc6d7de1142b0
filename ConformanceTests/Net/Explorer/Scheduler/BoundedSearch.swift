// The search with a bound. It first runs the schedules without preemption, then the schedules with one
// preemption, then with two, and so on. A switch from a thread that has to wait or has ended is not a
// preemption. No schedule is run twice.

final class BoundedSearch: Search {
  private let bound: Int
  private var preemptions = 0
  private var level: [Schedule]
  private var nextLevel: [Schedule] = []
  private(set) var schedule: Schedule
  private var turn = 0

  /// - Parameter first: The first schedule. The bound 0 and no call of `nextRun` replay this schedule.
  init(bound: Int, first: Schedule = Schedule()) {
    (self.bound, level, schedule) = (bound, [first], first)
  }

  func nextRun() -> Bool {
    while level.isEmpty {
      guard preemptions < bound, !nextLevel.isEmpty else { return false }
      preemptions += 1
      swap(&level, &nextLevel)
    }
    schedule = level.removeLast()
    turn = 0
    return true
  }

  func ended() {}

  func next(step: Int, usual: Int, isForced: Bool, ready: UInt32) -> Int {
    if turn < schedule.count {
      guard schedule.turn(turn).step == step else { return usual }
      turn += 1
      return schedule.turn(turn - 1).thread
    }
    guard isForced || preemptions < bound else { return usual }
    var others = ready & ~(1 << UInt32(usual))
    while others != 0 {
      let other = others.trailingZeroBitCount
      others &= others - 1
      let following = schedule.with(step: step, thread: other)
      if isForced { level.append(following) } else { nextLevel.append(following) }
    }
    return usual
  }

  func starts(_ thread: Int) {}
}
