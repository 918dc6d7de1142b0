// Foreign promises.

import DynamicPromise
import Seeds

/// A thenable that calls back at once, on another thread, twice, or never.
final class Later: Live, Thenable, @unchecked Sendable {
  private let random: Random
  /// `nil` if this object has no `then`. Such an object becomes the value of a promise, and must not retain a
  /// promise, because a cycle could form.
  private let promise: Promise?
  private let limit: UInt64

  /// Resolves with a promise that is older than this object, and whose number is below `number`.
  init(_ random: inout Random, _ number: UInt64 = .max) {
    limit = min(number, Entry.lastNumber)
    promise = random.once(in: 16) ? nil : Pool.older(than: limit, &random)
    self.random = random.fork()
    super.init(.thenable)
  }

  var then: ThenMethod? {
    get throws {
      guard let promise else { return nil }
      var random = random
      if random.once(in: 16) { throw Reason(&random) }
      let way = random.below(8)
      let inner = random.once(in: 4) ? Later(&random, limit) : nil
      let (value, reason) = (Value(&random), Reason(&random))
      return { resolve, reject in
        switch way {
        case 0: resolve(inner ?? value)
        case 1: reject(reason)
        case 2: throw reason
        case 3: break
        case 4: Contexts.elsewhere { resolve(inner ?? value) }
        case 5: Contexts.elsewhere { resolve(promise) }
        case 6:
          Contexts.elsewhere { reject(reason) }
          resolve(value)
        default:
          resolve(promise)
          resolve(value)
        }
      }
    }
  }
}
