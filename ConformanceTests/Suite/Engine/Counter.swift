import Foundation
import Synchronization

/// A number that threads increase and wait for. Waiting threads spin, so that they continue at once.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() { count.add(1, ordering: .acquiringAndReleasing) }

  /// Returns when the count has reached `number`.
  func wait(for number: Int) {
    var spins = 0
    while value < number {
      spins += 1
      // Yields, because the awaited thread may need this processor.
      if spins > 200 { sched_yield() }
    }
  }
}
