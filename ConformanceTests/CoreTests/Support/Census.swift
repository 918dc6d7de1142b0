// How many promises and how many objects of the tests are alive.

import Dispatch
import DynamicPromise

/// Weak references to promises, to see which are still there.
final class Census: @unchecked Sendable {
  private struct Entry {
    weak var promise: Promise?
  }

  private let queue = DispatchQueue(label: "census")
  private var entries: [Entry] = []

  @discardableResult
  func add(_ promise: Promise) -> Promise {
    queue.sync { entries.append(Entry(promise: promise)) }
    return promise
  }

  var alive: Int { queue.sync { entries.count { $0.promise != nil } } }
}

/// Counts objects that are alive.
final class LiveCount: @unchecked Sendable {
  private let queue = DispatchQueue(label: "live")
  private var current = 0
  private var highest = 0

  var alive: Int { queue.sync { current } }
  var peak: Int { queue.sync { highest } }

  func make() -> Canary {
    queue.sync {
      current += 1
      highest = max(highest, current)
    }
    return Canary { self.queue.sync { self.current -= 1 } }
  }
}
