import Foundation
import Synchronization

/// A number that threads raise, and wait for without sleeping, so that waiting threads continue at once.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() { count.add(1, ordering: .acquiringAndReleasing) }

  /// Returns when the number has been reached.
  func wait(for number: Int) {
    var spins = 0
    while value < number {
      spins += 1
      // With fewer processors than threads, the awaited thread needs this processor.
      if spins > 200 { sched_yield() }
    }
  }
}
