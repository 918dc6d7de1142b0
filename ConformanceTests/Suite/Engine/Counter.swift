import Foundation

/// A number that threads increase and wait for.
final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.value }

  func increment() { count.withLock { $0 += 1 } }

  /// Increases a count that is lower than `limit`. Returns the count before, or `nil`.
  func take(below limit: Int) -> Int? {
    count.withLock { count in
      guard count < limit else { return nil }
      defer { count += 1 }
      return count
    }
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
