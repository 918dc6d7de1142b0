// W13: several threads build chains below a shared promise at the same time.

import BenchmarkKit
import Dispatch
import Foundation
import Synchronization

enum Crowd {
  private static let sizes: [(threads: Int, part: Part)] = [(1, .one), (2, .two), (4, .four), (8, .eight)]
  private static let length = 1000

  /// Builds a chain of `steps` steps on the caller's stack, and reads the clock after each step. The last
  /// handler hits the latch.
  typealias Chain = @Sendable (_ steps: Int, _ watch: inout StallWatch, _ latch: Latch) -> Void

  /// Builds chains of 1,000 steps, with `count` steps in total for each number of threads, until all handlers
  /// have run. The figure is the mean over the numbers of threads. `prepare` makes the shared promise.
  static func measure(_ count: Int, prepare: () -> Chain) -> Figures {
    var all = Figures(0)
    for (threads, part) in sizes {
      let (nanoseconds, stall) = run(count, threads, prepare())
      all.parts[part] = nanoseconds / Double(count)
      all.total += nanoseconds / Double(sizes.count)
      all.parts[.stall] = max(all.parts[.stall] ?? 0, Double(stall) / 1e6)
    }
    return all
  }

  /// The first idle thread begins the next chain, so that a delayed thread does not delay the end.
  private static func run(
    _ count: Int, _ threads: Int, _ chain: @escaping Chain
  ) -> (nanoseconds: Double, stall: UInt64) {
    let chains = max(1, count / length)
    let (latch, done, gate) = (Latch(chains), Latch(threads), DispatchSemaphore(value: 0))
    let work = Work(chains)
    for _ in 0..<threads {
      let thread = Thread {
        gate.wait()
        var watch = StallWatch()
        while work.take() { chain(min(count, length), &watch, latch) }
        work.longest.withLock { $0 = max($0, watch.longest) }
        done.hit()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    let nanoseconds = time {
      for _ in 0..<threads { gate.signal() }
      done.wait()
      latch.wait()
    }.total
    return (nanoseconds, work.longest.withLock { $0 })
  }
}

private final class Work: Sendable {
  /// The number of chains that no thread has begun.
  private let left: Atomic<Int>
  let longest = Mutex<UInt64>(0)

  init(_ count: Int) { left = Atomic(count) }

  func take() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
}

/// The longest time between two readings of the clock by one thread.
struct StallWatch {
  private(set) var longest: UInt64 = 0
  private var last = DispatchTime.now().uptimeNanoseconds

  mutating func look() {
    let now = DispatchTime.now().uptimeNanoseconds
    longest = max(longest, now - last)
    last = now
  }
}
