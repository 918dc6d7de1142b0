// W14: the library with many unrelated promises whose handlers run on one queue.

import BenchmarkKit
import Dispatch
import DynamicPromise

struct DynamicPromiseToQueue<Context: ExecutionContext>: Contender {
  let name: String
  let context: @Sendable () -> Context

  var runs: [Workload: Run] { [.w14: w14] }

  /// The promises are on the default context, but all handlers run on `context`.
  @Sendable private func w14(_ count: Int) -> Double {
    let (context, latch) = (context(), Latch(count))
    return time {
      for _ in 0..<count {
        let promise = Promise()
        promise.thenOn(context) {
          latch.hit()
          return $0 as! Int + 1
        }
        promise.fulfill(0)
      }
      latch.wait()
    }
  }
}

extension DynamicPromiseToQueue<DispatchQueue> {
  static let serial = DynamicPromiseToQueue(name: "DynamicPromise to serial") { .serial("to") }
  static let barrier = DynamicPromiseToQueue(name: "DynamicPromise to barrier") { .concurrent("to") }
}

extension DynamicPromiseToQueue<ReadingContext> {
  static let reading = DynamicPromiseToQueue(name: "DynamicPromise to reading") {
    .reading(.concurrent("to"))
  }
}
