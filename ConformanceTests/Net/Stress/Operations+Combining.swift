// Operations that make combinators.

import DynamicPromise
import Seeds

extension Operation {
  static func inputs(_ random: inout Random) -> [Any?] {
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
  ///
  /// - Parameter all: Whether the result is fulfilled only after all inputs have settled.
  private static func combinator(
    _ name: String, all: Bool = false,
    _ combine: @escaping @Sendable ([Any?], any ExecutionContext, Bool) -> Promise
  ) -> Operation {
    Operation(name, 3) { random in
      let inputs = inputs(&random)
      let result = combine(inputs, Contexts.any(&random), random.once(in: 4))
      if random.once(in: 4) { result.cancel() }
      guard all else { return Pool.put(random.once(in: 4) ? nil : Entry(result), &random) }
      // The pool receives a child, because other threads must not settle the result by hand.
      Pool.put(Entry(result.then { $0 }), &random)
      let promises = inputs.compactMap { $0 as? Promise }
      result.then { _ in
        for input in promises where input.isPending {
          Report.fail("K1", "\(name) is fulfilled before \(input)")
        }
      }
    }
  }

  static let combining = [
    combinator("all", all: true) { .all($0, on: $1, cancellingInputs: $2) },
    combinator("allSettled", all: true) { .allSettled($0, on: $1, cancellingInputs: $2) },
    combinator("any") { .any($0, on: $1, cancellingInputs: $2) },
    combinator("race") { .race($0, on: $1, cancellingInputs: $2) },
    Operation("finished", 3) { random in
      let promise = Pool.older(&random)
      let top = random.once(in: 3) ? promise.root : promise
      let age = Age.now
      let result = top.finished(on: Contexts.any(&random))
      // The result is not in the pool, because a promise below `top` that followed the result would wait for
      // itself.
      result.then { _ in Round.checkTree(below: top, age) }
      if random.once(in: 4) { result.cancel() }
    },
    Operation("delay", 1) { random in
      Pool.put(Entry(.delay(0.001 * Double(random.below(5)))), &random)
    },
  ]
}
