// The workloads W1 to W6 on one thread, for counting. `benchmarks` has them for timing.

import BenchmarkKit
import DynamicPromise

package enum Lane: String, CaseIterable, Sendable {
  case immediate
  case stepped
}

extension Workload {
  /// The workloads whose steps can be counted on one thread.
  package static let counted: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w5r, .w5c, .w6]

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
    default: preconditionFailure("\(rawValue) is not counted")
    }
  }
}
