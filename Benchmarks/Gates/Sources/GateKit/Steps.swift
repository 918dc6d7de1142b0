// The workloads W1 to W6 on one thread, for counting. `benchmarks` has them for timing.

import DynamicPromise

/// The workloads whose steps can be counted on one thread.
package enum Step: String, CaseIterable, Sendable {
  case w1 = "W1"
  case w2 = "W2"
  case w3 = "W3"
  case w4 = "W4"
  case w5 = "W5"
  case w5r = "W5r"
  case w5c = "W5c"
  case w6 = "W6"
}

package enum Lane: String, CaseIterable, Sendable {
  case immediate
  case stepped
}

extension Step {
  /// Makes `count` steps of promises on `context`; `drain` runs its jobs.
  package func run(_ count: Int, on context: some ExecutionContext, drain: () -> Void) {
    switch self {
    case .w1:
      var promise = Promise(on: context)
      promise.fulfill(0)
      for _ in 0..<count {
        promise = promise.then { $0 as! Int + 1 }
        drain()
      }
    case .w2:
      let root = Promise(on: context)
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      root.fulfill(0)
      drain()
    case .w3:
      let root = Promise(on: context)
      for _ in 0..<count { root.then { $0 as! Int + 1 } }
      root.fulfill(0)
      drain()
    case .w4:
      let inputs = (0..<count).map { _ in Promise(on: context) }
      Promise.all(inputs).then { $0 as! [Any] }
      for input in inputs { input.fulfill(0) }
      drain()
    case .w5:
      for _ in 0..<count {
        let promise = Promise(on: context)
        promise.then { $0 as! Int + 1 }
        promise.fulfill(0)
        drain()
      }
    case .w5r:
      for _ in 0..<count {
        nonisolated(unsafe) var kept: Resolver?
        let promise = Promise(on: context) { kept = $0 }
        promise.then { $0 as! Int + 1 }
        kept?.fulfill(0)
        drain()
      }
    case .w5c:
      for index in 0..<count {
        let promise = Promise(on: context)
        promise.then { $0 as! Int + index + count }
        promise.fulfill(0)
        drain()
      }
    case .w6:
      let root = Promise(on: context)
      var promise = root
      for _ in 0..<count { promise = promise.then { Promise.resolved($0 as! Int + 1) } }
      root.fulfill(0)
      drain()
    }
  }
}
