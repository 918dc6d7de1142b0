// Closures on queues without a promise: the system's cost of a submission.

import BenchmarkKit
import Dispatch

let rawDispatches = [
  dispatch("serial") { DispatchQueue(label: "raw") },
  dispatch("barrier", isBarrier: true) { DispatchQueue(label: "raw", attributes: .concurrent) },
  dispatch("concurrent") { DispatchQueue(label: "raw", attributes: .concurrent) },
]

/// W1 and W2: each block enqueues the next block. W3: many blocks read one value. W5 and W14: each of many
/// blocks has its own value.
private func dispatch(
  _ name: String, isBarrier: Bool = false, _ queue: @escaping @Sendable () -> DispatchQueue
) -> Contender {
  @Sendable func chain(_ count: Int) -> Figures {
    let (queue, latch, value) = (queue(), Latch(), Value())
    @Sendable func submit(_ left: Int) {
      queue.submit(isBarrier) {
        value.number = value.number as! Int + 1
        if left > 1 { submit(left - 1) } else { latch.hit() }
      }
    }
    return time {
      submit(count)
      latch.wait()
    }
  }
  @Sendable func blocks(
    _ count: Int, _ add: (_ index: Int, _ latch: Latch, _ to: DispatchQueue) -> Void
  ) -> Figures {
    let (queue, latch) = (queue(), Latch(count))
    return time {
      for index in 1...count { add(index, latch, queue) }
      latch.wait()
    }
  }
  let independent: Run = {
    blocks($0) { _, latch, queue in
      let value = Value()
      queue.submit(isBarrier) {
        value.number = value.number as! Int + 1
        latch.hit()
      }
    }
  }
  return Contender(
    "Dispatch \(name)",
    [
      .w1: chain, .w2: chain,
      .w3: {
        let shared = Value()
        return blocks($0) { _, latch, queue in
          queue.submit(isBarrier) {
            withExtendedLifetime(shared.number as! Int + 1) {}
            latch.hit()
          }
        }
      },
      .w5: independent,
      .w5c: {
        blocks($0) { index, latch, queue in
          let value = Value()
          queue.submit(isBarrier) {
            value.number = value.number as! Int + index
            latch.hit()
          }
        }
      },
      .w14: independent,
    ])
}

extension DispatchQueue {
  @inline(__always)
  fileprivate func submit(_ isBarrier: Bool, _ block: @escaping @Sendable () -> Void) {
    async(flags: isBarrier ? .barrier : [], execute: block)
  }
}

private final class Value: @unchecked Sendable {
  @exclusivity(unchecked) var number: Any = 0
}
