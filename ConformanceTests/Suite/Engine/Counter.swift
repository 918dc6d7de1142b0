import Foundation
import Synchronization

/// A number that threads raise, and wait for without sleeping: who waits goes on at the very instant.
final class Counter: Sendable {
  private let value = Atomic(0)

  func increment() { value.add(1, ordering: .acquiringAndReleasing) }

  /// Returns when the number has been reached.
  func wait(for number: Int) {
    var spins = 0
    while value.load(ordering: .acquiring) < number {
      spins += 1
      // With fewer processors than threads, the one that is waited for needs this one.
      if spins > 200 { sched_yield() }
    }
  }
}
