// Operations that make children of every kind.

import DynamicPromise
import Seeds

extension Operation {
  /// Makes a child of a promise of the pool, and often adds the child to the pool.
  private static func child(
    _ name: String, _ weight: Int, _ make: @escaping @Sendable (Promise, inout Random) -> Promise
  ) -> Operation {
    promise(name, weight) { parent, random in
      let child = make(parent, &random)
      if !random.once(in: 3) { Pool.put(Entry(child), &random) }
    }
  }

  /// Makes a child whose handler is watched. `decides`: whether the handler's result becomes the outcome.
  private static func child(
    _ name: String, _ weight: Int, _ handles: Handles, decides: Bool = true, isFinally: Bool = false,
    _ make: @escaping @Sendable (Promise, Doing, inout Random) -> Promise
  ) -> Operation {
    promise(name, weight) { parent, random in
      let witness = Witness(name, handles, isFinally: isFinally, below: parent)
      let child = make(parent, Doing(&random, witness, decides: decides), &random)
      witness.begin(child)
      if !random.once(in: 3) { Pool.put(Entry(child, witness: witness), &random) }
    }
  }

  static let chaining = [
    child("then", 6, .value) { parent, doing, _ in parent.then { try doing.value($0) } },
    child("then that captures nothing", 4) { parent, random in
      random.once(in: 2) ? parent.then { _ in 1 } : parent.then { $0 }
    },
    child("thenOn", 12, .value) { parent, doing, random in
      parent.thenOn(Contexts.any(&random)) { try doing.value($0) }
    },
    child("thenOn with both handlers", 4, .both) { parent, doing, random in
      parent.thenOn(Contexts.any(&random), { try doing.value($0) }, { try doing.reason($0) })
    },
    child("thenOn an actor", 3, .value) { parent, doing, _ in
      parent.thenOn(Contexts.actor) { (_: isolated Somebody, value: Any) in try doing.value(value) }
    },
    child("catch", 4, .reason) { parent, doing, _ in parent.catch { try doing.reason($0) } },
    child("catchOn", 3, .reason) { parent, doing, random in
      parent.catchOn(Contexts.any(&random)) { try doing.reason($0) }
    },
    child("finally", 3, .both, decides: false) { parent, doing, _ in
      parent.finally { try doing.end() }
    },
    child("finallyOn", 3, .both, decides: false, isFinally: true) { parent, doing, random in
      parent.finallyOn(Contexts.serial[random.below(2)]) { try doing.end() }
    },
    child("tap", 1, .value, decides: false) { parent, doing, _ in parent.tap { try doing.value($0) } },
    child("tapCatch", 1, .reason, decides: false) { parent, doing, random in
      parent.tapCatch(on: Contexts.any(&random)) { try doing.reason($0) }
    },
    child("tapResult", 1, .both, decides: false) { parent, doing, _ in
      parent.tapResult { _ in try doing.end() }
    },
    child("then, asynchronous", 2, .value) { parent, doing, random in
      let older = Pool.older(&random)
      return parent.then { (value: Any) async throws -> Any? in
        _ = try? await older.cancellingValue
        await Task.yield()
        return try doing.value(value)
      }
    },
    child("shielded", 1) { parent, _ in parent.shielded() },
    child("delay", 1) { parent, random in parent.delay([0, 0.0005, 0.01][random.below(3)]) },
    child("with an owner", 2) { parent, random in
      let bag = CancelBag()
      let child = parent.cancelled(with: bag)
      if random.once(in: 2) { Contexts.elsewhere { withExtendedLifetime(bag) {} } }
      return child
    },
    child("then, of a wrong type", 1) { parent, _ in parent.then { (text: String) in text.count } },
    child("a chain of ten", 2) { parent, random in
      let context = Contexts.any(&random)
      var last = parent
      for _ in 0..<10 {
        let doing = Doing(&random)
        last = random.once(in: 2) ? last.then { try doing.make($0) } : last.thenOn(context) { $0 }
      }
      return last
    },
    child("then that returns what there is by then", 1) { parent, random in
      let later = random.fork()
      let child = parent.then { (_: Any) -> Any? in
        var random = later
        return Pool.any(&random)?.promise
      }
      Pool.cancelLater(child)
      return child
    },
    child("setTimeout", 3) { parent, random in
      parent.setTimeout([0, 0.0005, 0.002, 0.01, 30][random.below(5)])
    },
  ]
}
