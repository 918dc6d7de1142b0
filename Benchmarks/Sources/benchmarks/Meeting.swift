// Makes two threads act at the same instant.

import BenchmarkKit
import Dispatch
import Foundation
import Synchronization

/// A number that one thread raises and another thread waits for.
final class Turn: Sendable {
  private let word = Atomic(0)
  // Puts `word` on its own cache line.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  func advance(to turn: Int) { word.store(turn, ordering: .releasing) }

  /// Spins, because a wake-up takes longer than the measured work. After `patience` spins, the waiting thread
  /// yields, in case the other thread has no processor.
  func wait(for turn: Int, patience: Int = 2_000) {
    var spins = 0
    while word.load(ordering: .acquiring) < turn {
      spins += 1
      if spins > patience { sched_yield() }
    }
  }
}

/// Two threads leave `arrive` at the same instant.
final class Start: Sendable {
  private let first = Turn()
  private let second = Turn()

  /// The threads spin for long without yielding, so that the system gives each a processor of its own.
  func arrive(isFirst: Bool) {
    (isFirst ? first : second).advance(to: 1)
    (isFirst ? second : first).wait(for: 1, patience: 10_000_000)
  }
}

/// Makes two threads act at the same instant, over and over.
enum Meeting {
  /// Repeats `count` times: `prepare` on this thread, then `left` on this thread and `right` on another
  /// thread at once, both with the result of `prepare`. `afterwards` waits for unfinished handlers.
  static func time<Subject>(
    _ count: Int, prepare: () -> Subject, left: (Subject) -> Void, right: @escaping (Subject) -> Void,
    afterwards: () -> Void = {}
  ) -> Figures {
    let (start, started, ended, shared) = (Start(), Turn(), Turn(), Shared<Subject>())
    return withoutActuallyEscaping(right) { right in
      Helper.first.start {
        start.arrive(isFirst: false)
        for turn in 1...count {
          started.wait(for: turn)
          right(shared.subject)
          ended.advance(to: turn)
        }
      }
      start.arrive(isFirst: true)
      return benchmarks.time {
        for turn in 1...count {
          shared.subject = prepare()
          started.advance(to: turn)
          left(shared.subject)
          ended.wait(for: turn)
        }
        Helper.first.join()
        afterwards()
      }
    }
  }

  /// `subject` changes only while the other thread waits.
  private final class Shared<Subject>: @unchecked Sendable {
    @exclusivity(unchecked) var subject: Subject!
  }
}
