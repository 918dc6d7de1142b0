// Lower bounds: the toy in place and on queues, and the meeting of two threads that do nothing.

import BenchmarkKit
import Dispatch
import GateKit
import Toy

struct Featureless: Contender {
  let name = "Toy inline"

  let runs: [Workload: Run] = [
    .w1: steps(.w1),
    .w2: { chain($0).total },
    .w3: steps(.w3),
    .w4: { count in
      let latch = Latch()
      return time {
        let inputs = (0..<count).map { _ in ToyPromise() }
        ToyPromise.all(inputs).then { _ in latch.hit() }
        Helper.first.start { for input in inputs { input.resolve(0) } }
        Helper.first.join()
        latch.wait()
      }
    },
    .w5: steps(.w5),
    // The same as W5, because the toy has no resolvers.
    .w5r: steps(.w5r),
    .w6: steps(.w6),
    .w7: { count in
      heapGrowth(count) { _ in
        let promise = ToyPromise()
        promise.then { $0 as! Int + 1 }
        return promise
      }
    },
    .w10: steps(.w5),
    .w12: { count in
      let latch = Latch(count)
      let shared = Shared()
      return Meeting.time(count) {
        shared.promise = ToyPromise()
      } left: {
        shared.promise.then(counted(by: latch))
      } right: {
        shared.promise.resolve(0)
      } afterwards: {
        latch.wait()
      }
    },
    // Each link is a step, because toys that follow each other in a row would recurse.
    .w15a: { count in
      var held: ContiguousArray = [ToyPromise()]
      held.reserveCapacity(count + 1)
      return time {
        for index in 0..<count { held.append(held[index].then { $0 }) }
        held[0].resolve(0)
      }
    },
    .w15b: { count in
      var held: ContiguousArray<ToyPromise> = []
      held.reserveCapacity(count)
      return time {
        let first = ToyPromise()
        let settled = ToyPromise(resolved: 0)
        for _ in 0..<count { held.append(settled.then { _ in first }) }
        first.resolve(0)
      }
    },
  ]

  let chains: [Workload: ChainRun] = [.w2: { chain($0) }, .w8a: { chain($0) }]

  let detailed: [Workload: DetailedRun] = [
    .w13: { count in
      Crowd.measure(count) {
        let root = ToyPromise(resolved: 0)
        return { steps, watch, latch in
          var promise = root
          for _ in 0..<steps {
            promise = promise.then { $0 as! Int + 1 }
            watch.look()
          }
          promise.then { _ in latch.hit() }
          watch.look()
        }
      }
    }
  ]

  private static func chain(_ count: Int) -> ChainTime {
    timeChain {
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      return root
    } end: {
      $0.resolve(0)
    }
  }

  private static func steps(_ step: Step) -> Run { { count in time { step.runToy(count) } } }

  /// `promise` changes only while the other thread waits.
  private final class Shared: @unchecked Sendable {
    @exclusivity(unchecked) var promise = ToyPromise()
  }
}

/// The handler of a step whose end the latch awaits.
@inline(__always)
func counted(by latch: Latch) -> ToyPromise.Handler {
  {
    latch.hit()
    return $0 as! Int + 1
  }
}

/// The toy with one submission to a queue per handler. Each step has a second object, because the toy itself
/// has no queues.
struct FeaturelessOnQueue: Contender {
  let name: String
  /// Whether several handlers may run at once.
  let overlaps: Bool
  let isBarrier: Bool
  let queue: @Sendable () -> DispatchQueue

  static let serial = FeaturelessOnQueue(name: "Toy serial", overlaps: false, isBarrier: false) {
    DispatchQueue(label: "toy")
  }
  static let barrier = FeaturelessOnQueue(name: "Toy barrier", overlaps: false, isBarrier: true) {
    DispatchQueue(label: "toy", attributes: .concurrent)
  }
  static let concurrent = FeaturelessOnQueue(name: "Toy concurrent", overlaps: true, isBarrier: false) {
    DispatchQueue(label: "toy", attributes: .concurrent)
  }

  var runs: [Workload: Run] { [.w1: w1, .w2: w2, .w3: w3, .w5: w5, .w14: w5] }

  private var flags: DispatchWorkItemFlags { isBarrier ? .barrier : [] }

  private func then(
    _ promise: ToyPromise, _ queue: DispatchQueue, _ handler: @escaping ToyPromise.Handler
  ) -> ToyPromise {
    let result = ToyPromise()
    promise.then { value in
      let input = Input(value: value)
      queue.async(flags: flags) { result.resolve(handler(input.value)) }
      return ()
    }
    return result
  }

  private struct Input: @unchecked Sendable { let value: Any }

  @Sendable private func w1(_ count: Int) -> Double { chain(count, ToyPromise(resolved: 0)) { _ in } }

  @Sendable private func w2(_ count: Int) -> Double { chain(count, ToyPromise()) { $0.resolve(0) } }

  private func chain(_ count: Int, _ root: ToyPromise, _ end: (ToyPromise) -> Void) -> Double {
    let (queue, latch) = (queue(), Latch())
    return time {
      var promise = root
      for _ in 0..<count { promise = then(promise, queue) { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      end(root)
      latch.wait()
    }
  }

  @Sendable private func w3(_ count: Int) -> Double {
    let (queue, latch) = (queue(), Latch(count))
    return time {
      let root = ToyPromise()
      for _ in 0..<count { _ = then(root, queue, counted(by: latch)) }
      root.resolve(0)
      latch.wait()
    }
  }

  @Sendable private func w5(_ count: Int) -> Double {
    let (queue, latch) = (queue(), Latch(count))
    return time {
      for _ in 0..<count {
        let promise = ToyPromise()
        _ = then(promise, queue, counted(by: latch))
        promise.resolve(0)
      }
      latch.wait()
    }
  }
}

/// The machine's own limits: the speedup of two threads that share only the allocator, and the time that two
/// threads need to meet.
struct Machine: Contender {
  static let name: String = "machine's ceiling"
  let name: String = Machine.name

  private final class Piece {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  let runs: [Workload: Run] = [
    .w10: { count in
      // The objects are stored, so that they are allocated on the heap. The compiler could put other objects
      // on the stack, or remove them.
      var kept = [Piece?](repeating: nil, count: 16)
      return time {
        // Takes about as long as a step of a promise, so that slices of both are equally likely to be
        // disturbed.
        for index in 0..<count {
          for offset in 0..<kept.count { kept[offset] = Piece(index) }
        }
        withExtendedLifetime(kept) {}
      }
    },
    .w12: { count in Meeting.time(count, prepare: {}, left: {}, right: {}) },
  ]
}
