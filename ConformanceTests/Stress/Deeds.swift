// What handlers, hooks, observers and deinits do to promises that are none of their business.

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
    // It may find that it would wait for itself.
    case 11: entry.promise.withdraw()
    case 12: _ = try? entry.promise.get(timeout: 0.0002)
    default: entry.promise.catch { _ in }
    }
  }
}
