// What handlers, hooks and deinits do to promises that are none of their business.

import DynamicPromise

enum Deed {
  static func run(_ random: inout Random) {
    guard let entry = Pool.any(&random) else { return }
    switch random.below(10) {
    case 0, 1: entry.promise.cancel()
    case 2: entry.promise.root.cancel(Reason(&random))
    case 3: entry.promise.fulfill(Value(&random))
    case 4: entry.aResolver?.reject(Reason(&random))
    case 5: entry.aResolver?.resolve(Value(&random))
    case 6: entry.loseResolver()
    case 7: Pool.put(nil, &random)
    case 8: Pool.put(Entry(entry.promise.then { $0 }), &random)
    default: entry.promise.parent?.cancel()
    }
  }
}
