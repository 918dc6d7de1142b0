// Closures on queues without a promise: the system's cost of a submission.

import BenchmarkKit
import Dispatch
import Synchronization

struct RawDispatch: Contender {
  let name: String
  let isBarrier: Bool
  let queue: @Sendable () -> DispatchQueue

  static let serial = RawDispatch(name: "Dispatch serial", isBarrier: false) { DispatchQueue(label: "raw") }
  static let barrier = RawDispatch(name: "Dispatch barrier", isBarrier: true) {
    DispatchQueue(label: "raw", attributes: .concurrent)
  }
  static let concurrent = RawDispatch(name: "Dispatch concurrent", isBarrier: false) {
    DispatchQueue(label: "raw", attributes: .concurrent)
  }

  /// W1 and W2: each block enqueues the next block. W3: many blocks read one value. W5 and W14: each of many
  /// blocks has its own value. W12: two threads meet, and the later thread enqueues a block.
  var runs: [Workload: Run] {
    [.w1: submissions, .w2: submissions, .w3: shared, .w5: independent, .w12: meeting, .w14: independent]
  }

  private var flags: DispatchWorkItemFlags { isBarrier ? .barrier : [] }

  private final class Value: @unchecked Sendable {
    @exclusivity(unchecked) var value: Any
    init(_ value: Any) { self.value = value }
  }

  @Sendable private func submissions(_ count: Int) -> Double {
    let (queue, latch, value) = (queue(), Latch(), Value(0))
    @Sendable func submit(_ left: Int) {
      queue.async(flags: flags) {
        value.value = value.value as! Int + 1
        if left > 1 { submit(left - 1) } else { latch.hit() }
      }
    }
    return time {
      submit(count)
      latch.wait()
    }
  }

  @Sendable private func shared(_ count: Int) -> Double {
    let (queue, latch, value) = (queue(), Latch(count), Value(0))
    return time {
      for _ in 0..<count {
        queue.async(flags: flags) {
          withExtendedLifetime(value.value as! Int + 1) {}
          latch.hit()
        }
      }
      latch.wait()
    }
  }

  @Sendable private func independent(_ count: Int) -> Double {
    let (queue, latch) = (queue(), Latch(count))
    return time {
      for _ in 0..<count {
        let value = Value(0)
        queue.async(flags: flags) {
          value.value = value.value as! Int + 1
          latch.hit()
        }
      }
      latch.wait()
    }
  }

  /// The least work of any promise in W12: both threads write one word, and a handler moves to another
  /// thread.
  @Sendable private func meeting(_ count: Int) -> Double {
    let (queue, latch) = (queue(), Latch(count))
    @Sendable func come(_ meeter: Meeter) {
      guard meeter.came.exchange(true, ordering: .acquiringAndReleasing) else { return }
      queue.async(flags: flags) {
        meeter.value.value = meeter.value.value as! Int + 1
        latch.hit()
      }
    }
    return Meeting.time(
      count, prepare: { Meeter() }, left: come, right: come, afterwards: { latch.wait() })
  }

  private final class Meeter: Sendable {
    let came = Atomic(false)
    let value = Value(0)
  }
}
