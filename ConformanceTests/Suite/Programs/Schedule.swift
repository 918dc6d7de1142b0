/// A queue of steps of a program.
enum Lane: Int, Sendable, CaseIterable {
  /// The operations of the program.
  case main
  /// The jobs of the first context.
  case a
  /// The jobs of the second context.
  case b
  /// The late calls of thenables.
  case outside

  static let contexts: [Lane] = [.a, .b]
}

/// The order of a program's steps, by *probabilistic concurrency testing* (Burckhardt, Kothari, Musuvathi,
/// Nagarakatte: “A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs”, ASPLOS 2010).
///
/// Each lane has a priority, initially in random order. The next step always comes from the lane of highest
/// priority that has a step. At each of d−1 random steps, the lane that would run the step receives a lower
/// priority. Change number i, with i < d, assigns priority i, which is below all initial priorities.
///
/// A defect has *depth* d if it appears whenever d particular steps of different lanes come in a particular
/// order. With n lanes and at most k steps, one schedule shows the defect with a probability of at least
/// 1/(n·kᵈ⁻¹). Here n is 4, and k is ``Program/stepBound``, 13 on average.
///
/// Each program has one schedule, with a random d from 1 to 4, so the probability is a quarter of that. It is
/// 1/16 for d = 1, 1/208 for d = 2, 1/2,704 for d = 3, and 1/35,152 for d = 4.
///
/// These bounds hold for a program that can show the defect, on an implementation that needs no more jobs
/// than ``Program/stepBound`` counts. A program then takes at most k steps, 8 on average. With more jobs, as
/// Node needs, priorities change only at the first k steps.
struct Schedule: Sendable, Equatable {
  /// The lanes, from the highest priority to the lowest.
  var order: [Lane]
  /// The steps at which a priority changes, counted from 1. The change at index i assigns priority i.
  var changes: [Int]

  /// The simplest schedule: all operations run first, then all jobs.
  static let plain = Schedule(order: Lane.allCases, changes: [])

  init(order: [Lane], changes: [Int]) {
    (self.order, self.changes) = (order, changes)
  }

  /// Creates a random schedule for a program of at most `bound` steps.
  init(bound: Int, _ random: inout Random) {
    order = Lane.allCases
    for index in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(index, random.below(index + 1))
    }
    let depth = 1 + random.below(4)
    changes = (1..<depth).map { _ in 1 + random.below(bound) }
  }
}

/// Chooses the lane of each step.
struct Scheduler {
  private let changes: [Int]
  private var priorities = Array(repeating: 0, count: Lane.allCases.count)
  private(set) var steps = 0

  init(_ schedule: Schedule) {
    changes = schedule.changes
    for (index, lane) in schedule.order.reversed().enumerated() {
      priorities[lane.rawValue] = changes.count + index
    }
  }

  /// Returns the lane of the next step; `nil` if no lane has a step.
  mutating func next(_ hasStep: (Lane) -> Bool) -> Lane? {
    guard var best = highest(hasStep) else { return nil }
    steps += 1
    if changes.isEmpty { return best }
    for (index, step) in changes.enumerated() where step == steps {
      priorities[best.rawValue] = index
      best = highest(hasStep) ?? best
    }
    return best
  }

  private func highest(_ hasStep: (Lane) -> Bool) -> Lane? {
    Lane.allCases.filter(hasStep).max { priorities[$0.rawValue] < priorities[$1.rawValue] }
  }
}
