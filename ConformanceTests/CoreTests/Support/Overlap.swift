// Which jobs ran at the same time.

import DynamicPromise

/// Notes an order, and how many bodies ran at one time.
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
