// The search with a bound. It first runs the schedules without preemption, then the schedules with one
// preemption, then with two, and so on. A switch from a thread that has to wait or has ended is not a
// preemption. No schedule is run twice.

final class BoundedSearch: Search {
  private let bound: Int
  private var preemptions = 0
  private var level: [Schedule] = [Schedule()]
  private var nextLevel: [Schedule] = []
  private(set) var schedule = Schedule()
  private var turn = 0

  init(bound: Int) { self.bound = bound }

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

final class Replay: Search {
  let schedule: Schedule
  private var turn = 0
  init(_ schedule: Schedule) { self.schedule = schedule }
  func nextRun() -> Bool { turn == 0 }
  func ended() {}

  func next(step: Int, usual: Int, isForced: Bool, ready: UInt32) -> Int {
    guard turn < schedule.count, schedule.turn(turn).step == step else { return usual }
    turn += 1
    return schedule.turn(turn - 1).thread
  }

  func starts(_ thread: Int) {}
}
