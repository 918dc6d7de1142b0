// Makes two threads act at the same instant.

import BenchmarkKit
import Dispatch
import Foundation
import Synchronization

/// Releases two threads at the same instant, when each has its own processor.
///
/// Both threads spin without yielding, so that the system gives each a processor. Otherwise, the system may
/// keep two threads that wake each other on one processor, although another processor is idle.
final class Start: Sendable {
  /// The time limit in nanoseconds. If the machine is busy for longer, the measurement starts anyway.
  private static let patience: UInt64 = 20_000_000
  /// If both threads run, this many answers take at most this many nanoseconds.
  private static let (answers, promptness): (Int, UInt64) = (10, 20_000)

  private let asked = Turn()
  private let answered = Turn()

  /// Called by the first thread.
  func lead() {
    let begin = DispatchTime.now().uptimeNanoseconds
    var question = 0
    while true {
      let asking = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<Self.answers {
        question += 1
        asked.advance(to: question)
        while answered.number < question {
          guard DispatchTime.now().uptimeNanoseconds - begin < Self.patience else {
            return asked.advance(to: .max)
          }
        }
      }
      guard DispatchTime.now().uptimeNanoseconds - asking > Self.promptness else {
        return asked.advance(to: .max)
      }
    }
  }

  /// Called by the second thread.
  func follow() {
    while true {
      let question = asked.number
      if question == .max { return }
      answered.advance(to: question)
    }
  }
}

/// A number that one thread raises and another thread waits for.
final class Turn: Sendable {
  private let word = Atomic(0)
  // Puts `word` on its own cache line.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  var number: Int { word.load(ordering: .acquiring) }

  func advance(to turn: Int) { word.store(turn, ordering: .releasing) }

  /// Spins, because a wake-up takes longer than the measured work. After a while, the waiting thread yields,
  /// in case the other thread has no processor.
  func wait(for turn: Int) {
    var spins = 0
    while number < turn {
      spins += 1
      if spins > 2_000 { sched_yield() }
    }
  }
}

/// Makes two threads act at the same instant, over and over.
enum Meeting {
  /// Repeats `count` times: `prepare` on this thread, then `left` on this thread and `right` on another
  /// thread at once, both with the result of `prepare`.
  ///
  /// - Returns: The nanoseconds from the first repetition until `afterwards` has returned. `afterwards` waits
  ///   for unfinished handlers.
  static func time<Subject>(
    _ count: Int, prepare: () -> Subject, left: (Subject) -> Void, right: @escaping (Subject) -> Void,
    afterwards: () -> Void = {}
  ) -> Figures {
    let (start, started, ended, shared) = (Start(), Turn(), Turn(), Shared<Subject>())
    return withoutActuallyEscaping(right) { right in
      Helper.first.start {
        start.follow()
        for turn in 1...count {
          started.wait(for: turn)
          right(shared.subject)
          ended.advance(to: turn)
        }
      }
      start.lead()
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
