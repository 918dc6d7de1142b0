// Closures on queues without a promise: the system's cost of a submission.

import BenchmarkKit
import Dispatch

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
  /// blocks has its own value.
  var runs: [Workload: Run] {
    [
      .w1: submissions, .w2: submissions, .w3: shared, .w5: independent, .w5c: capturing, .w14: independent,
    ]
  }

  private var flags: DispatchWorkItemFlags { isBarrier ? .barrier : [] }

  private final class Value: @unchecked Sendable {
    @exclusivity(unchecked) var value: Any
    init(_ value: Any) { self.value = value }
  }

  @Sendable private func submissions(_ count: Int) -> Figures {
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

  @Sendable private func shared(_ count: Int) -> Figures {
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

  @Sendable private func independent(_ count: Int) -> Figures {
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

  @Sendable private func capturing(_ count: Int) -> Figures {
    let (queue, latch) = (queue(), Latch(count))
    return time {
      for index in 0..<count {
        let value = Value(0)
        queue.async(flags: flags) {
          value.value = value.value as! Int + index + count
          latch.hit()
        }
      }
      latch.wait()
    }
  }
}
