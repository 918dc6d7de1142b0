// Children of every kind.

import DynamicPromise

extension Operation {
  /// Makes a child of a promise of the pool, and often keeps it.
  private static func child(
    _ name: String, _ weight: Int, _ make: @escaping @Sendable (Promise, inout Random) -> Promise
  ) -> Operation {
    Operation(name, weight) { random in
      guard let parent = Pool.any(&random)?.promise else { return }
      let child = make(parent, &random)
      if !random.once(in: 3) { Pool.put(Entry(child), &random) }
    }
  }

  static let chaining = [
    child("then", 10) { parent, random in
      let doing = Doing(&random)
      switch random.below(4) {
      case 0: return parent.then { _ in 1 }
      case 1: return parent.then { $0 }
      default: return parent.then { try doing.make($0) }
      }
    },
    child("thenOn", 12) { parent, random in
      let doing = Doing(&random)
      return parent.thenOn(Contexts.any(&random)) { try doing.make($0) }
    },
    child("thenOn with both handlers", 4) { parent, random in
      let (first, second) = (Doing(&random), Doing(&random))
      return parent.thenOn(
        Contexts.any(&random), { try first.make($0) }, { (_: any Error) in try second.make(nil) })
    },
    child("thenOn an actor", 3) { parent, random in
      let doing = Doing(&random)
      return parent.thenOn(Contexts.actor) { (_: isolated Somebody, value: Any) in try doing.make(value) }
    },
    child("catch", 4) { parent, random in
      let doing = Doing(&random)
      return parent.catch { (_: any Error) in try doing.make(nil) }
    },
    child("catchOn", 3) { parent, random in
      let doing = Doing(&random)
      return parent.catchOn(Contexts.any(&random)) { (_: any Error) in try doing.make(nil) }
    },
    child("finally", 3) { parent, random in
      let doing = Doing(&random)
      return parent.finally { try doing.make(nil) }
    },
    child("finallyOn", 3) { parent, random in
      let doing = Doing(&random)
      return parent.finallyOn(Contexts.any(&random)) { try doing.make(nil) }
    },
    child("tap", 2) { parent, random in
      let doing = Doing(&random)
      switch random.below(3) {
      case 0: return parent.tap { _ in try doing.make(nil) }
      case 1: return parent.tapCatch(on: Contexts.any(&random)) { _ in try doing.make(nil) }
      default: return parent.tapResult { _ in try doing.make(nil) }
      }
    },
    child("delay", 1) { parent, random in parent.delay([0, 0.0005, 0.01][random.below(3)]) },
    child("with an owner", 2) { parent, random in
      let bag = CancelBag()
      let child = parent.cancelled(with: bag)
      if random.once(in: 2) { Contexts.elsewhere { withExtendedLifetime(bag) {} } }
      return child
    },
    child("then, asynchronous", 2) { parent, random in
      let (doing, older) = (Doing(&random), Pool.older(&random))
      return parent.then { (value: Any) async throws -> Any? in
        let received = try? await older.cancellingValue
        await Task.yield()
        return try doing.make(received)
      }
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
