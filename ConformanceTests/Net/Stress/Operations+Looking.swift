// Operations that read promises or wait for promises.

import DynamicPromise
import DynamicPromiseDiagnostics
import Seeds

extension Operation {
  /// Acts on a promise of the pool.
  static func promise(
    _ name: String, _ weight: Int, _ body: @escaping @Sendable (Promise, inout Random) -> Void
  ) -> Operation {
    entry(name, weight) { body($0.promise, &$1) }
  }

  static let looking = [
    promise("up the tree", 4) { promise, random in
      var current: Promise? = promise
      for _ in 0..<16 { current = current?.parent ?? current }
      if let current, random.once(in: 4) { Pool.put(Entry(current.root.then { $0 }), &random) }
    },
    entry("outcome", 4) { entry, _ in entry.witness.look() },
    promise("state", 4) { promise, _ in
      let isSettled = promise.isSettled
      let result = promise.result
      if isSettled, result == nil { fatalError("settled, and no result") }
      if promise.isFulfilled, promise.isCancelled { fatalError("fulfilled, and cancelled") }
    },
    promise("description", 1) { promise, random in
      if random.once(in: 20) { _ = promise.treeDescription } else { _ = promise.description }
    },
    promise("observers", 2) { promise, random in
      let (context, act) = (Contexts.any(&random), Deed.later(&random, in: 2))
      promise.onSuccess(on: context) { _ in act() }
      promise.onFail { _ in act() }
      promise.onCancel(on: context) { act() }
    },
    promise("cancelsWhenUnwanted", 1) { promise, _ in promise.cancelsWhenUnwanted() },
    promise("ignoreErrors", 1) { promise, _ in promise.ignoreErrors() },
  ]

  static let waiting = [
    promise("get", 3) { promise, random in
      _ = try? promise.get(timeout: random.once(in: 8) ? 0.0005 : 0)
    },
    promise("await", 3) { promise, random in
      let (token, isCancelling) = (Live(), random.once(in: 2))
      let task = Task {
        _ = isCancelling ? try? await promise.cancellingValue : try? await promise.value
        withExtendedLifetime(token) {}
      }
      if random.once(in: 2) { task.cancel() }
      if random.once(in: 4) { Contexts.elsewhere { task.cancel() } }
    },
    promise("results", 1) { promise, random in
      let (other, token, last) = (Pool.older(&random), Live(), random.below(3))
      let task = Task {
        var count = 0
        for await _ in Promise.results(of: [promise, other]) {
          count += 1
          if count > last { break }
        }
        withExtendedLifetime(token) {}
      }
      if random.once(in: 2) { task.cancel() }
    },
  ]
}
