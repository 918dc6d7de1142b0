// Floors: the toy promise in place and on queues, and what the machine itself can do.

import BenchmarkKit
import Dispatch
import Toy

let toys = [
  contender(
    "Toy inline", [.w1, .w2, .w3, .w4, .w5, .w5c, .w6, .w7, .w8a, .w10, .w12, .w13], { ToyLibrary(pool: nil) }
  ),
  contender("Toy pool", [.w1, .w2, .w3, .w5, .w5c, .w13], more: [.w14: w5(pool)]) { pool() },
  contender("Toy batched serial", [.w1, .w2, .w3, .w5, .w5c], more: [.w14: w5(batched)]) { batched() },
]

@Sendable private func pool() -> ToyLibrary {
  ToyLibrary(pool: ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled))
}

@Sendable private func batched() -> ToyLibrary {
  ToyLibrary(pool: ToyWorkerPool(DispatchQueue(label: "toy"), .batched))
}

/// In W14 all promises of a measurement share a queue anyway.
private func w5(_ make: @escaping @Sendable () -> ToyLibrary) -> Run {
  contender("", [.w5], make).runs[.w5]!
}

/// The toy in place, or on a queue whose submissions many handlers share.
private struct ToyLibrary: Library {
  let pool: ToyWorkerPool?

  var overlaps: Bool { pool != nil }
  func pending() -> ToyPromise { ToyPromise() }
  func settled() -> ToyPromise { ToyPromise(resolved: 0) }
  func step(of root: ToyPromise) -> ToyPromise { root }
  func all(_ steps: [ToyPromise], _ latch: Latch) { ToyPromise.all(steps).then { _ in latch.hit() } }

  func fulfill(_ root: ToyPromise) {
    if let pool { root.resolve(0, on: pool) } else { root.resolve(0) }
  }

  @inline(__always)
  private func then(_ step: ToyPromise, _ handler: @escaping ToyPromise.Handler) -> ToyPromise {
    if let pool { step.then(on: pool, handler) } else { step.then(handler) }
  }

  func then(_ step: ToyPromise) -> ToyPromise { then(step) { $0 as! Int + 1 } }

  func then(_ step: ToyPromise, _ latch: Latch) -> ToyPromise { then(step, latch, adding: 1) }

  func then(_ step: ToyPromise, _ latch: Latch, adding number: Int) -> ToyPromise {
    then(step) {
      latch.hit()
      return $0 as! Int + number
    }
  }

  func thenReturning(_ step: ToyPromise) -> ToyPromise { then(step) { ToyPromise(resolved: $0 as! Int + 1) } }
}

/// The machine's own limits: the speedup of two threads that share only the allocator, and the time that two
/// threads need to meet.
enum Machine {
  static let contender = Contender(
    "machine's ceiling",
    [
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
    ])

  private final class Piece {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
}
