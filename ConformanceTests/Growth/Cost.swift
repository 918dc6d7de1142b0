// What a line costs, and whether that grows too fast.

import DynamicPromise
import Foundation

/// The cost of a line for one n.
package struct Cost: Sendable {
  /// Links between promises that were followed under locks, and critical sections. 0 in release
  /// builds, and where other threads take part.
  package var locked: Int
  /// Links in the longest critical section.
  package var longest: Int
  /// Processor time in microseconds.
  package var time: Double

  package init(locked: Int, longest: Int, time: Double) {
    (self.locked, self.longest, self.time) = (locked, longest, time)
  }

  /// Of several runs the least time. What is counted is the same in each.
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

  /// By what the cost is multiplied when n is doubled, derived from the costs of n and 10n. What is less than
  /// the given time and number of links is too little to tell.
  package func growthPerDoubling(to more: Cost) -> Double {
    let time = max(more.time, 5000) / max(time, 5000)
    let locked = Double(more.locked + 100) / Double(locked + 100)
    return exp2(log10(max(time, locked, 1)))
  }
}

/// A line's costs, each for ten times as many promises as the one before.
package struct Growth: Sendable {
  /// Doubling n must not triple the cost.
  package static let limit = 3.0
  /// More links than a slice needs: 64 members, a few links each.
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
