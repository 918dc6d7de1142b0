// The floor of what can be cancelled: the toy with the features that every step of a chain must have, and no
// others.

import BenchmarkKit
import Toy

struct FeaturelessTree: Contender {
  let name = "Toy tree"

  let runs: [Workload: Run] = [
    .w1: { count in
      time {
        var promise = TreePromise(resolved: 0)
        for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      }
    },
    .w2: { count in
      time {
        let root = TreePromise()
        var promise = root
        for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
        root.resolve(0)
      }
    },
    .w3: { count in
      time {
        let root = TreePromise()
        for _ in 0..<count { root.then { $0 as! Int + 1 } }
        root.resolve(0)
      }
    },
    .w5: { count in
      time {
        for _ in 0..<count {
          let promise = TreePromise()
          promise.then { $0 as! Int + 1 }
          promise.resolve(0)
        }
      }
    },
    // It adopts nothing, so nothing can be withdrawn: what is left is to build the chain and to run down.
    .w15c: { count in
      time {
        let root = TreePromise()
        var promise = root
        for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
        root.cancel()
      }
    },
  ]
}
