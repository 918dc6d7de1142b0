// The actions and results of the operations' handlers.

import DynamicPromise
import Seeds

/// The action and the result of a handler.
struct Doing: Sendable {
  private let random: Random
  private let token: Capture
  private let promise: Promise?
  private let limit: UInt64
  private let witness: Witness?
  /// Whether the result becomes the outcome of the handler's promise.
  private let decides: Bool

  /// Makes the action of a handler whose child is made next. The handler may return a promise that already
  /// exists.
  init(_ random: inout Random, _ witness: Witness? = nil, decides: Bool = true) {
    limit = Entry.lastNumber
    promise = random.once(in: 3) ? Pool.older(&random) : nil
    token = Capture(&random)
    self.random = random.fork()
    (self.witness, self.decides) = (witness, decides)
  }

  func value(_ value: Any) throws -> Any? {
    witness?.start(.success(value))
    return try make(value)
  }

  /// Runs a handler for the reason, or for both outcomes.
  func reason(_ reason: any Error) throws -> Any? {
    witness?.start(.failure(reason))
    return try make(nil)
  }

  /// Runs a handler without an input.
  func end() throws -> Any? {
    witness?.start(nil)
    return try make(nil)
  }

  /// Called in a handler or task; `received` is its input.
  func make(_ received: Any?) throws -> Any? {
    var random = random
    if random.once(in: 6) { Deed.run(&random) }
    if random.once(in: 12) { witness?.fulfill(Value(&random)) }
    let result = try result(received, &random)
    if decides, let promise = result as? Promise { witness?.follows(promise) }
    return result
  }

  private func result(_ received: Any?, _ random: inout Random) throws -> Any? {
    if let promise { return promise }
    switch random.below(12) {
    case 0: throw Reason(&random)
    case 1: return Reason(&random)
    case 2: return nil
    case 3: return Promise.resolved(Value(&random)).then { $0 }
    case 4: return Later(&random, limit)
    case 5:
      let (promise, resolver) = Promise.pending()
      // The promise must not wait for a promise that is younger than the child, because the child waits for
      // the promise.
      Pool.put(Entry(promise, resolver, number: limit), &random)
      return promise
    case 6: return Promise { _ in throw CancellationError() }
    case 7: return received
    default: return Value(&random)
    }
  }
}
