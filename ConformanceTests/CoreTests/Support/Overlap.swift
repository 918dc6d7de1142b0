// A record of jobs that run at the same time.

import DynamicPromise

/// Records the order of jobs, and how many jobs ran at the same time.
final class Overlap: Sendable {
  private let entered = Counter()
  private let left = Counter()
  private let log = Log<Int>()
  private let depths = Log<Int>()

  func run(_ number: Int) {
    entered.increment()
    log.append(number)
    depths.append(entered.value - left.value)
    left.increment()
  }

  var order: [Int] { log.all }
  var most: Int { depths.all.max() ?? 0 }
}
