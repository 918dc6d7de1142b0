// What contenders share: waiting for the last handler, a second thread, two threads that meet.

import Dispatch
import Foundation
import Synchronization

/// Opens when it has been hit so many times.
final class Latch: Sendable {
  private let missing: Atomic<Int>
  private let semaphore = DispatchSemaphore(value: 0)

  init(_ count: Int = 1) { missing = Atomic(count) }

  @inline(__always)
  func hit() {
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { semaphore.signal() }
  }

  func wait() { semaphore.wait() }
}

/// A thread that is there already when it is needed.
final class Helper: @unchecked Sendable {
  static let first = Helper()
  static let second = Helper()

  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private var job: () -> Void = {}

  init() {
    let thread = Thread { [self] in
      while true {
        wanted.wait()
        job()
        job = {}
        done.signal()
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Runs `job` on the helper's thread. What was written before is visible to it.
  func start(_ job: @escaping () -> Void) {
    self.job = job
    wanted.signal()
  }

  /// Waits until the job has returned. What it wrote is visible afterwards.
  func join() { done.wait() }
}

/// Two threads do one thing each at the same instant, over and over.
enum Meeting {
  /// For each of `count`: `prepare` on this thread, then `left` on this one and `right` on another at once.
  static func run(
    _ count: Int, prepare: () -> Void, left: () -> Void, right: @escaping () -> Void
  ) {
    let turns = Turns()
    withoutActuallyEscaping(right) { right in
      Helper.first.start {
        for turn in 1...count {
          turns.started.wait(for: turn)
          right()
          turns.ended.advance(to: turn)
        }
      }
      for turn in 1...count {
        prepare()
        turns.started.advance(to: turn)
        left()
        turns.ended.wait(for: turn)
      }
      Helper.first.join()
    }
  }

  private final class Turns: Sendable {
    let started = Turn()
    let ended = Turn()
  }

  private final class Turn: Sendable {
    private let number = Atomic(0)
    // A cache line for itself.
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

    func advance(to turn: Int) { number.store(turn, ordering: .releasing) }

    /// Spins, because to be woken takes longer than what is measured; gives way if the other thread has no processor.
    func wait(for turn: Int) {
      var spins = 0
      while number.load(ordering: .acquiring) < turn {
        spins += 1
        if spins > 2_000 { sched_yield() }
      }
    }
  }
}
