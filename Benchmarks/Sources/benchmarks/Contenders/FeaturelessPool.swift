// The lower bound on queues where handlers may share a submission. On the queue, the toy runs its handlers in
// place.

import BenchmarkKit
import Dispatch
import Toy

struct FeaturelessPool: Contender {
  let name: String
  let pool: @Sendable () -> ToyWorkerPool

  /// The lower bound for the private default context.
  static let concurrent = FeaturelessPool(name: "Toy pool") {
    ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled)
  }
  static let serial = FeaturelessPool(name: "Toy batched serial") {
    ToyWorkerPool(DispatchQueue(label: "toy"), .batched)
  }
  static let barrier = FeaturelessPool(name: "Toy batched barrier") {
    ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .batched, isBarrier: true)
  }

  var runs: [Workload: Run] { [.w1: w1, .w2: w2, .w3: w3, .w5: w5, .w14: w5] }

  /// Only for the concurrent pool, because other queues change only the time.
  var detailed: [Workload: DetailedRun] { name == Self.concurrent.name ? [.w13: w13] : [:] }

  @Sendable private func w1(_ count: Int) -> Double {
    let (pool, latch) = (pool(), Latch())
    return time {
      var promise = ToyPromise(resolved: 0)
      for _ in 0..<count { promise = promise.then(on: pool) { $0 as! Int + 1 } }
      _ = promise.then(on: pool) { _ in latch.hit() }
      latch.wait()
    }
  }

  @Sendable private func w2(_ count: Int) -> Double {
    let (pool, latch) = (pool(), Latch())
    return time {
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      root.resolve(0, on: pool)
      latch.wait()
    }
  }

  @Sendable private func w3(_ count: Int) -> Double {
    let (pool, latch) = (pool(), Latch(count))
    return time {
      let root = ToyPromise()
      for _ in 0..<count { root.then(counted(by: latch)) }
      root.resolve(0, on: pool)
      latch.wait()
    }
  }

  @Sendable private func w13(_ count: Int) -> Figures {
    let pool = pool()
    return Crowd.measure(count) {
      let root = ToyPromise(resolved: 0)
      return { steps, watch, latch in
        var promise = root
        for _ in 0..<steps {
          promise = promise.then(on: pool) { $0 as! Int + 1 }
          watch.look()
        }
        _ = promise.then(on: pool) { _ in latch.hit() }
        watch.look()
      }
    }
  }

  @Sendable private func w5(_ count: Int) -> Double {
    let (pool, latch) = (pool(), Latch(count))
    return time {
      for _ in 0..<count {
        let promise = ToyPromise()
        promise.then(counted(by: latch))
        promise.resolve(0, on: pool)
      }
      latch.wait()
    }
  }
}
