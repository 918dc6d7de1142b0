// What the handlers of the operations do and return.

import DynamicPromise

/// What a handler comes to.
struct Doing: Sendable {
  private let random: Random
  private let token = Live()
  private let promise: Promise?
  private let limit: UInt64

  /// For a handler of a child that is about to be made, and may wait for what is there already.
  init(_ random: inout Random) {
    limit = Entry.lastNumber
    promise = random.once(in: 3) ? Pool.older(&random) : nil
    self.random = random.fork()
  }

  /// Called in the handler; `received` is what it was given.
  func make(_ received: Any?) throws -> Any? {
    var random = random
    if random.once(in: 6) { Deed.run(&random) }
    if let promise { return promise }
    switch random.below(12) {
    case 0: throw Reason(&random)
    case 1: return Reason(&random)
    case 2: return nil
    case 3: return Promise.resolved(Value(&random)).then { $0 }
    case 4: return Later(&random, limit)
    case 5:
      let (promise, resolver) = Promise.pending()
      // The child waits for it, so it must not wait for anything younger than that.
      Pool.put(Entry(promise, resolver, number: limit), &random)
      return promise
    case 6: return Promise { _ in throw CancellationError() }
    case 7: return received
    default: return Value(&random)
    }
  }
}
