import Foundation
import Synchronization

/// A number that threads increase and wait for.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() { count.add(1, ordering: .acquiringAndReleasing) }

  /// Increases a count that is lower than `limit`. Returns the count before, or `nil`.
  func take(below limit: Int) -> Int? {
    var known = value
    while known < limit {
      let (isTaken, now) = count.compareExchange(
        expected: known, desired: known + 1, ordering: .acquiringAndReleasing)
      if isTaken { return known }
      known = now
    }
    return nil
  }

  /// Returns when the count has reached `number`. At first the thread spins, so that it continues at once.
  /// Then it sleeps, because other processes may need the processor.
  func wait(for number: Int) {
    let end = DispatchTime.now().uptimeNanoseconds + 100_000
    var spins = 0
    while value < number {
      spins += 1
      if spins < 200 { continue }
      if DispatchTime.now().uptimeNanoseconds < end { sched_yield() } else { usleep(20) }
    }
  }
}
