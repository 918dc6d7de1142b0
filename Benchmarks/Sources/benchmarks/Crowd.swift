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

  /// Builds chains of 1,000 steps, with `count` steps in total for each number of threads.
  ///
  /// - Parameter prepare: Makes the promise that the threads share.
  /// - Returns: The nanoseconds until all handlers have run: the mean over all numbers of threads, and as
  ///   parts the figure per step for each number.
  static func measure(_ count: Int, prepare: () -> Chain) -> Figures {
    var sum = 0.0
    var parts: [Part: Double] = [:]
    var longest: UInt64 = 0
    for size in sizes {
      let (nanoseconds, stall) = run(count, size.threads, prepare())
      parts[size.part] = nanoseconds / Double(count)
      sum += nanoseconds
      longest = max(longest, stall)
    }
    parts[.stall] = Double(longest) / 1e6
    return Figures(sum / Double(sizes.count), parts)
  }

  /// The first idle thread begins the next chain, so that a delayed thread does not delay the end.
  private static func run(
    _ count: Int, _ threads: Int, _ chain: @escaping Chain
  ) -> (nanoseconds: Double, stall: UInt64) {
    let steps = min(count, length)
    let chains = max(1, count / steps)
    let (latch, done) = (Latch(chains), Latch(threads))
    let (work, gate) = (Work(chains), DispatchSemaphore(value: 0))
    for _ in 0..<threads {
      let thread = Thread {
        gate.wait()
        var watch = StallWatch()
        while work.take() { chain(steps, &watch, latch) }
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

  /// The number of chains that no thread has begun, and the longest stall of the threads that have ended.
  private final class Work: Sendable {
    private let left: Atomic<Int>
    let longest = Mutex<UInt64>(0)

    init(_ chains: Int) { left = Atomic(chains) }

    func take() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
  }
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
