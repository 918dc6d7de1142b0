// Lower bounds: the toy in place, and the meeting of two threads that do nothing.

import BenchmarkKit
import Dispatch
import GateKit
import Toy

struct Featureless: Contender {
  let name = "Toy inline"

  let runs: [Workload: Run] = [
    .w1: steps(.w1),
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

  let detailed: [Workload: DetailedRun] = [
    .w2: { chain($0) },
    .w8a: { chain($0) },
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
    },
  ]

  private static func chain(_ count: Int) -> Figures {
    timeChain(count) {
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      return root
    } end: {
      $0.resolve(0)
    }
  }

  private static func steps(_ step: Step) -> Run { { count in time { step.runToy(count) } } }
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
    .w12: { count in Meeting.time(count, prepare: {}, left: { _ in }, right: { _ in }) },
  ]
}
