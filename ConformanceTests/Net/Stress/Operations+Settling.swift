// Operations that settle, follow, cancel and release promises.

import DynamicPromise
import Seeds

extension Operation {
  /// Acts on an entry of the pool.
  static func entry(
    _ name: String, _ weight: Int, _ body: @escaping @Sendable (Entry, inout Random) -> Void
  ) -> Operation {
    Operation(name, weight) { random in
      if let entry = Pool.any(&random) { body(entry, &random) }
    }
  }

  static let settling = [
    entry("fulfill by its resolver", 10) { entry, random in entry.aResolver?.fulfill(Value(&random)) },
    entry("resolve by its resolver", 6) { entry, random in
      guard let resolver = entry.aResolver else { return }
      switch random.below(4) {
      case 0: resolver.resolve(Later(&random, entry.number))
      case 1: resolver.resolve(Pool.older(than: entry.number, &random))
      case 2: resolver.reject(Reason(&random))
      default: resolver.resolve(Value(&random))
      }
    },
    entry("settle by hand", 4) { entry, random in
      switch random.below(4) {
      case 0: entry.fulfill(Value(&random))
      case 1: entry.reject(Reason(&random))
      case 2: entry.resolve(Later(&random, entry.number))
      default: entry.resolve(Value(&random))
      }
    },
    entry("follow an older one", 5) { entry, random in
      let older = Pool.older(than: entry.number, &random)
      if random.once(in: 2) { entry.bind(older) } else { entry.resolve(older) }
    },
    entry("follow whichever", 1) { entry, random in
      entry.bind(Pool.any(&random)?.promise ?? entry.promise)
      Pool.cancelLater(entry.promise)
    },
    entry("cancel", 6) { entry, _ in
      entry.promise.cancel()
      entry.witness.look()
    },
    entry("cancel with a reason", 3) { entry, random in entry.promise.cancel(Reason(&random)) },
    entry("cancel the root", 3) { entry, _ in Round.cancel(entry.promise.root) },
    entry("hooks", 4) { entry, random in
      guard let resolver = entry.aResolver else { return }
      let (act, witness) = (Deed.later(&random), entry.witness)
      witness.addHook()
      resolver.onCancel { _ in
        witness.runHook()
        act()
      }
      resolver.onAbandon { act() }
    },
    entry("lose a resolver", 4) { entry, _ in entry.loseResolver() },
    entry("lose a resolver late", 2) { entry, _ in
      if let resolver = entry.aResolver { Contexts.elsewhere { withExtendedLifetime(resolver) {} } }
      entry.loseResolver()
    },
    Operation("release", 12) { random in Pool.put(nil, &random) },
    entry("release from several threads", 2) { entry, random in
      let promise = entry.promise
      let children = (0..<3).map { _ in promise.then { $0 } }
      for child in children { Contexts.elsewhere { withExtendedLifetime(child) {} } }
      Contexts.elsewhere { promise.cancel() }
    },
    Operation("cancel the end of a chain that runs", 10) { random in
      let context = Contexts.any(&random)
      let (end, resolver) = Chain.discarded(random.once(in: 2) ? nil : context)
      resolver.fulfill(Value(&random))
      // The cancel may happen at any time between the scheduling and the end of the chain.
      lose(random.below(1 << random.below(14)))
      end.cancel()
    },
    Operation("a chain whose root's value cancels its end", 3) { random in
      let context = Contexts.any(&random)
      let (end, resolver) = Chain.discarded(random.once(in: 2) ? nil : context)
      resolver.fulfill(Goer(.value) { end.cancel() })
    },
  ]
}

private enum Chain {
  /// The end of a chain of three promises. Nothing retains the other two promises.
  static func discarded(_ context: (any ExecutionContext)?) -> (end: Promise, resolver: Resolver) {
    let (root, resolver) = Promise.pending()
    let middle = root.then { _ in 1 }
    if let context { return (middle.thenOn(context) { $0 }, resolver) }
    return (middle.then { $0 }, resolver)
  }
}
