// Lower bounds on queues: the toy with a block for each handler, and with blocks that handlers share.

import BenchmarkKit
import Dispatch
import Toy

/// The handler of a step whose end the latch awaits.
@inline(__always)
func counted(by latch: Latch) -> ToyPromise.Handler {
  {
    latch.hit()
    return $0 as! Int + 1
  }
}

/// A way to run the toy's handlers on a queue.
protocol ToyGround: Sendable {
  /// Adds a handler to a pending promise.
  func then(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise
  /// Adds a handler to a promise that is settled, or will be settled by an earlier handler.
  func late(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise
  func resolve(_ promise: ToyPromise)
}

struct FeaturelessOnQueue<Ground: ToyGround>: Contender {
  let name: String
  var detailed: [Workload: DetailedRun] = [:]
  let ground: @Sendable () -> Ground

  var runs: [Workload: Run] { [.w1: w1, .w2: w2, .w3: w3, .w5: w5, .w14: w5] }

  @Sendable private func w1(_ count: Int) -> Double {
    let (ground, latch) = (ground(), Latch())
    return time {
      var promise = ToyPromise(resolved: 0)
      for _ in 0..<count { promise = ground.late(promise) { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      latch.wait()
    }
  }

  @Sendable private func w2(_ count: Int) -> Double {
    let (ground, latch) = (ground(), Latch())
    return time {
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = ground.then(promise) { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      ground.resolve(root)
      latch.wait()
    }
  }

  @Sendable private func w3(_ count: Int) -> Double {
    let (ground, latch) = (ground(), Latch(count))
    return time {
      let root = ToyPromise()
      for _ in 0..<count { _ = ground.then(root, counted(by: latch)) }
      ground.resolve(root)
      latch.wait()
    }
  }

  @Sendable private func w5(_ count: Int) -> Double {
    let (ground, latch) = (ground(), Latch(count))
    return time {
      for _ in 0..<count {
        let promise = ToyPromise()
        _ = ground.then(promise, counted(by: latch))
        ground.resolve(promise)
      }
      latch.wait()
    }
  }
}

/// One submission to the queue per handler. Each step has a second object, because the toy itself has no
/// queues.
struct BlockPerHandler: ToyGround {
  let queue: DispatchQueue
  var isBarrier = false

  func then(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise {
    let result = ToyPromise()
    promise.then { value in
      let input = Input(value: value)
      queue.async(flags: isBarrier ? .barrier : []) { result.resolve(handler(input.value)) }
      return ()
    }
    return result
  }

  func late(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise {
    then(promise, handler)
  }

  func resolve(_ promise: ToyPromise) { promise.resolve(0) }

  private struct Input: @unchecked Sendable { let value: Any }
}

extension FeaturelessOnQueue<BlockPerHandler> {
  static let serial = FeaturelessOnQueue(name: "Toy serial") {
    BlockPerHandler(queue: DispatchQueue(label: "toy"))
  }
  static let barrier = FeaturelessOnQueue(name: "Toy barrier") {
    BlockPerHandler(queue: DispatchQueue(label: "toy", attributes: .concurrent), isBarrier: true)
  }
}

/// Handlers may share a submission. On the queue, the toy runs its handlers in place.
extension ToyWorkerPool: ToyGround {
  func then(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise {
    promise.then(handler)
  }

  func late(_ promise: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise {
    promise.then(on: self, handler)
  }

  func resolve(_ promise: ToyPromise) { promise.resolve(0, on: self) }
}

extension FeaturelessOnQueue<ToyWorkerPool> {
  /// The lower bound for the private default context. The other queues do not run W13, because they change
  /// only the time.
  static let pool = FeaturelessOnQueue(name: "Toy pool", detailed: [.w13: w13]) { makePool() }
  static let batchedSerial = FeaturelessOnQueue(name: "Toy batched serial") {
    ToyWorkerPool(DispatchQueue(label: "toy"), .batched)
  }
  static let batchedBarrier = FeaturelessOnQueue(name: "Toy batched barrier") {
    ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .batched, isBarrier: true)
  }

  private static func makePool() -> ToyWorkerPool {
    ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled)
  }

  @Sendable private static func w13(_ count: Int) -> Figures {
    let pool = makePool()
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
}
