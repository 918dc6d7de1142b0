// Two threads that are to do something at the same instant.

import Dispatch
import Foundation
import Synchronization

/// Both leave at once, when each has seen that the other one has a processor of its own.
///
/// It is not enough that both are awake: a system may keep two threads that wake each other on one
/// processor, beside an idle one. So neither yields here, and the system gives each a processor.
final class Start: Sendable {
  /// In nanoseconds. A machine that has been busy for so long is measured as it is.
  private static let patience: UInt64 = 20_000_000
  /// So many answers take at most so many nanoseconds where both run.
  private static let (answers, promptness): (Int, UInt64) = (10, 20_000)

  private let asked = Turn()
  private let answered = Turn()

  /// For the first of the two.
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

  /// For the second.
  func follow() {
    while true {
      let question = asked.number
      if question == .max { return }
      answered.advance(to: question)
    }
  }
}

/// A number that one thread raises and another one waits for.
final class Turn: Sendable {
  private let word = Atomic(0)
  // A cache line for itself.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  var number: Int { word.load(ordering: .acquiring) }

  func advance(to turn: Int) { word.store(turn, ordering: .releasing) }

  /// Spins, because to be woken takes longer than what is measured; gives way if the other thread has no
  /// processor.
  func wait(for turn: Int) {
    var spins = 0
    while number < turn {
      spins += 1
      if spins > 2_000 { sched_yield() }
    }
  }
}

/// Two threads do one thing each at the same instant, over and over.
enum Meeting {
  /// For each of `count`: `prepare` on this thread, then `left` on this one and `right` on another at once.
  ///
  /// - Returns: The nanoseconds from the first meeting until `afterwards`, which waits for what is under way,
  ///   has returned.
  static func time(
    _ count: Int, prepare: () -> Void, left: () -> Void, right: @escaping () -> Void,
    afterwards: () -> Void = {}
  ) -> Double {
    let (start, started, ended) = (Start(), Turn(), Turn())
    return withoutActuallyEscaping(right) { right in
      Helper.first.start {
        start.follow()
        for turn in 1...count {
          started.wait(for: turn)
          right()
          ended.advance(to: turn)
        }
      }
      start.lead()
      return benchmarks.time {
        for turn in 1...count {
          prepare()
          started.advance(to: turn)
          left()
          ended.wait(for: turn)
        }
        Helper.first.join()
        afterwards()
      }
    }
  }
}
