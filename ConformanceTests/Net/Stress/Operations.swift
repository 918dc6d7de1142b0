// The operations of a thread, which are chosen by weight. `Operations+....swift` has the operations by kind.

import DynamicPromise
import Seeds

struct Operation: Sendable {
  let name: String
  let weight: Int
  let body: @Sendable (inout Random) -> Void

  init(_ name: String, _ weight: Int, _ body: @escaping @Sendable (inout Random) -> Void) {
    (self.name, self.weight, self.body) = (name, weight, body)
  }

  static let all = making + chaining + settling + combining + series + looking + waiting + meeting

  /// The indices of the operations, each repeated as often as its weight.
  static func lots(_ operations: [Operation]) -> [Int] {
    operations.indices.flatMap { Array(repeating: $0, count: operations[$0].weight) }
  }
}

extension Operation {
  static let making = [
    Operation("pending", 12) { random in
      let (promise, resolver) = Promise.pending(on: random.below(3) > 0 ? nil : Contexts.any(&random))
      Pool.put(Entry(promise, resolver), &random)
    },
    Operation("bare promise", 3) { random in
      let promise = random.once(in: 2) ? Promise() : Promise(on: Contexts.any(&random))
      Pool.put(Entry(promise, isBare: true), &random)
    },
    Operation("promise with hooks", 3) { random in
      let (first, second) = (Deed.later(&random), Deed.later(&random))
      let witness = Witness("with hooks")
      witness.addHook()
      let promise = Promise(
        onCancel: { _ in
          witness.runHook()
          first()
        },
        onAbandon: second)
      witness.begin(promise)
      Pool.put(Entry(promise, isBare: true, witness: witness), &random)
    },
    Operation("promise with a body", 4) { random in
      let older = Pool.older(&random)
      let promise = Promise { resolver in
        switch random.below(6) {
        case 0: resolver.fulfill(Value(&random))
        case 1: throw Reason(&random)
        case 2: resolver.resolve(older)
        case 3: resolver.resolve(Later(&random))
        case 4: Contexts.elsewhere { resolver.resolve(1) }
        default: break
        }
      }
      Pool.put(Entry(promise), &random)
    },
    Operation("promise of a task", 2) { random in
      let (older, doing) = (Pool.older(&random), Doing(&random))
      let promise = Promise { () async throws -> Any? in
        try Task.checkCancellation()
        return try doing.make(try? await older.value)
      }
      Pool.put(Entry(promise), &random)
    },
    Operation("task on a context", 2) { random in
      let doing = Doing(&random)
      Pool.put(Entry(Promise.task(on: Contexts.any(&random)) { try doing.make(nil) }), &random)
    },
    Operation("resolved, rejected", 2) { random in
      let promise: Promise =
        switch random.below(4) {
        case 0: .rejected(Reason(&random))
        case 1: .resolved(Later(&random))
        case 2: .resolved(Pool.older(&random))
        default: .resolved(Value(&random))
        }
      Pool.put(Entry(promise), &random)
    },
  ]
}
