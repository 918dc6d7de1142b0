// The cost of a line, and the limit of its growth.

import DynamicPromise
import Foundation

/// The cost of a line for one n.
package struct Cost: Sendable {
  /// The links between promises that were followed under locks, plus the critical sections. The count is 0 in
  /// release builds, and for lines that involve other threads.
  package var locked: Int
  /// Links in the longest critical section.
  package var longest: Int
  /// Processor time in microseconds.
  package var time: Double

  package init(locked: Int, longest: Int, time: Double) {
    (self.locked, self.longest, self.time) = (locked, longest, time)
  }

  /// The least time of several runs. The counts are the same in each run.
  package static func of(_ line: Line, _ n: Int, runs: Int = 1) -> Cost {
    var best = Cost(locked: 0, longest: 0, time: .infinity)
    for _ in 0..<runs {
      let body = line.prepare(n)
      var time = 0.0
      let work = LockedWork.count {
        let begin = processorTime
        body()
        time = processorTime - begin
      }
      best.locked = line.isOnOneThread ? work.steps + work.sections : 0
      best.longest = line.isOnOneThread ? work.longest : 0
      best.time = min(best.time, time)
    }
    return best
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// The factor by which the cost grows when n doubles, computed from the costs of n and 10n. Times below 5
  /// ms count as 5 ms, and 100 links are added to both counts, because small figures vary too much.
  package func growthPerDoubling(to more: Cost) -> Double {
    let time = max(more.time, 5000) / max(time, 5000)
    let locked = Double(more.locked + 100) / Double(locked + 100)
    return exp2(log10(max(time, locked, 1)))
  }
}

/// A line's costs. Each cost is for ten times as many promises as the previous cost.
package struct Growth: Sendable {
  /// Doubling n must not triple the cost.
  package static let limit = 3.0
  /// The limit of links in a critical section. A slice needs fewer: it has 64 members, with a few links each.
  package static let longestSection = 600

  package let costs: [Cost]

  package init(costs: [Cost]) { self.costs = costs }

  package var perDoubling: Double {
    zip(costs, costs.dropFirst()).map { $0.growthPerDoubling(to: $1) }.max() ?? 1
  }

  /// Links in the longest critical section.
  package var longest: Int { costs.map(\.longest).max() ?? 0 }

  package var isTooFast: Bool { perDoubling > Growth.limit || longest > Growth.longestSection }
}

/// The stack of a background queue's thread.
package let smallStack = 512 * 1024
