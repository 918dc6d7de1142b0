// OpenCombine's `Future`. The `then` used here makes a future that subscribes to the previous future.

import BenchmarkKit
import OpenCombine

struct OpenCombineFuture: Contender {
  let name = "OpenCombine"

  /// The length of a chain. A longer chain is measured as many chains of this length. OpenCombine settles
  /// chains by recursion, and overflows a stack of 8 MiB at about 5,000 steps.
  private static let depth = 1000

  private typealias Step = Future<any Sendable, Never>

  @inline(__always)
  private static func listen(to step: Step, _ body: @escaping (any Sendable) -> Void) {
    step.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: body))
  }

  private static func then(_ previous: Step, _ handler: @escaping (any Sendable) -> any Sendable) -> Step {
    Step { fulfil in listen(to: previous) { fulfil(.success(handler($0))) } }
  }

  private static func flat(_ previous: Step, _ handler: @escaping (any Sendable) -> Step) -> Step {
    Step { fulfil in
      listen(to: previous) { value in listen(to: handler(value)) { fulfil(.success($0)) } }
    }
  }

  private static func pending() -> (Step, Step.Promise) {
    var fulfil: Step.Promise?
    let future = Step { fulfil = $0 }
    return (future, fulfil!)
  }

  private static func chains(_ count: Int, _ body: (Int) -> Void) -> Figures {
    time {
      var left = count
      while left > 0 {
        body(min(left, depth))
        left -= depth
      }
    }
  }

  let runs: [Workload: Run] = [
    .w1: { count in
      chains(count) { steps in
        var future = Step { $0(.success(HandsOnAny.first)) }
        for _ in 0..<steps { future = then(future) { HandsOnAny.next($0) } }
      }
    },
    .w2: { count in
      chains(count) { steps in
        let (root, fulfil) = pending()
        var future = root
        for _ in 0..<steps { future = then(future) { HandsOnAny.next($0) } }
        fulfil(.success(HandsOnAny.first))
      }
    },
    .w3: { count in
      time {
        let (root, fulfil) = pending()
        for _ in 0..<count { _ = then(root) { HandsOnAny.next($0) } }
        fulfil(.success(HandsOnAny.first))
      }
    },
    .w4: { count in
      let latch = Latch()
      return time {
        let inputs = (0..<count).map { _ in pending() }
        var missing = inputs.count
        var values = [any Sendable](repeating: 0, count: inputs.count)
        for (index, input) in inputs.enumerated() {
          listen(to: input.0) { value in
            values[index] = value
            missing -= 1
            if missing == 0 { latch.hit() }
          }
        }
        Helper.first.start { for input in inputs { input.1(.success(HandsOnAny.first)) } }
        Helper.first.join()
        latch.wait()
      }
    },
    .w5: { count in
      time {
        for _ in 0..<count {
          let (root, fulfil) = pending()
          _ = then(root) { HandsOnAny.next($0) }
          fulfil(.success(HandsOnAny.first))
        }
      }
    },
    .w6: { count in
      chains(count) { steps in
        let (root, fulfil) = pending()
        var future = root
        for _ in 0..<steps {
          future = flat(future) { value in Step { $0(.success(HandsOnAny.next(value))) } }
        }
        fulfil(.success(HandsOnAny.first))
      }
    },
    .w7: { count in
      heapGrowth(count) { _ in
        let (root, fulfil) = pending()
        _ = then(root) { HandsOnAny.next($0) }
        withExtendedLifetime(fulfil) {}
        return root
      }
    },
  ]
}
