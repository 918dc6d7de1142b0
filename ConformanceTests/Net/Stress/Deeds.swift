// The actions of handlers, hooks, observers and deinits on random promises.

import DynamicPromise
import Seeds

enum Deed {
  static func run(_ random: inout Random) {
    guard let entry = Pool.any(&random) else { return }
    switch random.below(14) {
    case 0, 1: entry.promise.cancel()
    case 2: Round.cancel(entry.promise.root)
    case 3: entry.fulfill(Value(&random))
    case 4: entry.aResolver?.reject(Reason(&random))
    case 5: entry.aResolver?.resolve(Value(&random))
    case 6: entry.loseResolver()
    case 7: Pool.put(nil, &random)
    case 8: Pool.put(Entry(entry.promise.then { $0 }), &random)
    case 9: entry.promise.parent?.cancel()
    case 10: entry.bind(Pool.older(than: entry.number, &random))
    case 11: entry.promise.withdraw()
    // This wait may throw `wouldDeadlock`.
    case 12: _ = try? entry.promise.get(timeout: 0.0002)
    default: entry.promise.catch { _ in }
    }
  }

  /// A closure that acts with a probability of one in `count`, and has a capture that is counted.
  static func later(_ random: inout Random, in count: Int = 1) -> @Sendable () -> Void {
    let (fork, token) = (random.fork(), Capture(&random))
    return {
      var random = fork
      withExtendedLifetime(token) { if random.once(in: count) { run(&random) } }
    }
  }
}
