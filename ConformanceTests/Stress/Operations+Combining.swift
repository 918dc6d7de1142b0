// Combinators, series.

import DynamicPromise
import Synchronization

extension Operation {
  private static func inputs(_ random: inout Random) -> [Any?] {
    (0..<random.below(5)).map { _ -> Any? in
      switch random.below(8) {
      case 0: Value(&random)
      case 1: Later(&random)
      case 2: nil
      default: Pool.older(&random)
      }
    }
  }

  /// A combinator over promises of the pool.
  private static func combinator(
    _ name: String, _ combine: @escaping @Sendable ([Any?], any ExecutionContext, Bool) -> Promise
  ) -> Operation {
    Operation(name, 3) { random in
      let result = combine(inputs(&random), Contexts.any(&random), random.once(in: 4))
      if random.once(in: 4) { result.cancel() }
      if !random.once(in: 4) { Pool.put(Entry(result), &random) }
    }
  }

  static let combining = [
    combinator("all") { .all($0, on: $1, cancellingInputs: $2) },
    combinator("allSettled") { .allSettled($0, on: $1, cancellingInputs: $2) },
    combinator("any") { .any($0, on: $1, cancellingInputs: $2) },
    combinator("race") { .race($0, on: $1, cancellingInputs: $2) },
    Operation("sequence", 2) { random in
      let doing = Doing(&random)
      let result = Promise.sequence(inputs(&random), on: Contexts.any(&random)) { (input: Any) -> Any? in
        try doing.make(input)
      }
      Pool.put(Entry(result), &random)
    },
    Operation("repeat", 2) { random in
      let (doing, left) = (Doing(&random), Countdown(random.below(5)))
      let result = Promise.repeat(on: Contexts.any(&random)) { () -> Any? in
        left.goesOn ? try doing.make(1) : nil
      }
      Pool.put(Entry(result), &random)
    },
    Operation("treeSettled", 2) { random in
      let promise = Pool.older(&random)
      let top = random.once(in: 3) ? promise.root : promise
      let result = top.treeSettled(on: Contexts.any(&random))
      let token = Live()
      // Not for the pool: what is below and follows the result would wait for itself.
      result.then { _ in withExtendedLifetime(token) {} }
      if random.once(in: 4) { result.cancel() }
    },
    Operation("delay", 1) { random in
      Pool.put(Entry(.delay(0.001 * Double(random.below(5)))), &random)
    },
  ]
}

private final class Countdown: Live, @unchecked Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }

  var goesOn: Bool { left.subtract(1, ordering: .relaxed).oldValue > 0 }
}
