// Floors: the toy promise in place and on queues, and what the machine itself can do.

import BenchmarkKit
import Dispatch
import GateKit
import Toy

struct ToyInline: Contender {
  let name = "Toy inline"

  let runs: [Workload: Run] = [
    .w1: steps(.w1),
    .w2: steps(.w2),
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
    .w5r: steps(.w5r),
    .w5c: steps(.w5c),
    .w6: steps(.w6),
    .w7: { count in
      heapGrowth(count) { _ in
        let promise = ToyPromise()
        promise.then { $0 as! Int + 1 }
        return promise
      }
    },
    .w8a: steps(.w2),
    .w10: steps(.w5),
    .w12: { count in
      let latch = Latch(count)
      return Meeting.time(count) {
        ToyPromise()
      } left: {
        $0.then(counted(by: latch))
      } right: {
        $0.resolve(0)
      } afterwards: {
        latch.wait()
      }
    },
    .w13: { crowd($0) { promise, handler in promise.then(handler) } },
  ]

  private static func steps(_ step: Step) -> Run { { count in time { step.runToy(count) } } }
}

/// The handler of a step whose end the latch awaits.
@inline(__always)
private func counted(by latch: Latch) -> ToyPromise.Handler {
  {
    latch.hit()
    return $0 as! Int + 1
  }
}

private func crowd(
  _ count: Int, _ then: @escaping @Sendable (ToyPromise, @escaping ToyPromise.Handler) -> ToyPromise
) -> Figures {
  Crowd.measure(count) {
    let root = ToyPromise(resolved: 0)
    return { steps, watch, latch in
      var promise = root
      for _ in 0..<steps {
        promise = then(promise) { $0 as! Int + 1 }
        watch.look()
      }
      _ = then(promise) { _ in latch.hit() }
      watch.look()
    }
  }
}

/// The toy whose handlers share submissions to a queue, and run there in place.
struct ToyOnQueue: Contender {
  let name: String
  let makePool: @Sendable () -> ToyWorkerPool

  static let pool = ToyOnQueue(name: "Toy pool") {
    ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled)
  }
  static let batchedSerial = ToyOnQueue(name: "Toy batched serial") {
    ToyWorkerPool(DispatchQueue(label: "toy"), .batched)
  }

  var runs: [Workload: Run] {
    [.w1: w1, .w2: w2, .w3: w3, .w5: w5, .w5c: w5c, .w13: w13, .w14: w5]
  }

  @Sendable private func w1(_ count: Int) -> Figures {
    let (pool, latch) = (makePool(), Latch())
    return time {
      var promise = ToyPromise(resolved: 0)
      for _ in 0..<count { promise = promise.then(on: pool) { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      latch.wait()
    }
  }

  @Sendable private func w2(_ count: Int) -> Figures {
    let (pool, latch) = (makePool(), Latch())
    return time {
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      root.resolve(0, on: pool)
      latch.wait()
    }
  }

  @Sendable private func w3(_ count: Int) -> Figures {
    let (pool, latch) = (makePool(), Latch(count))
    return time {
      let root = ToyPromise()
      for _ in 0..<count { root.then(counted(by: latch)) }
      root.resolve(0, on: pool)
      latch.wait()
    }
  }

  @Sendable private func w5(_ count: Int) -> Figures {
    let (pool, latch) = (makePool(), Latch(count))
    return time {
      for _ in 0..<count {
        let promise = ToyPromise()
        promise.then(counted(by: latch))
        promise.resolve(0, on: pool)
      }
      latch.wait()
    }
  }

  @Sendable private func w5c(_ count: Int) -> Figures {
    let (pool, latch) = (makePool(), Latch(count))
    return time {
      for index in 0..<count {
        let promise = ToyPromise()
        promise.then {
          latch.hit()
          return $0 as! Int + index + count
        }
        promise.resolve(0, on: pool)
      }
      latch.wait()
    }
  }

  @Sendable private func w13(_ count: Int) -> Figures {
    let pool = makePool()
    return crowd(count) { promise, handler in promise.then(on: pool, handler) }
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
      // The objects are stored, so that the compiler can neither remove them nor put them on the stack.
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
    .w12: { count in Meeting.time(count, prepare: {}, left: { _ in }, right: { _ in }) },
  ]
}
