// Allocations per step, and sizes of objects.

import BenchmarkKit
import CAllocations
import DynamicPromise
import GateKit

enum Allocations {
  /// The lengths of two runs. Only their difference is counted, which excludes one-time allocations.
  private static let (few, many) = (1_000, 3_000)

  /// All figures. Each name includes the unit.
  static func count() -> [(name: String, figure: Int)] {
    var all: [(name: String, figure: Int)] = []
    func add(_ name: String, _ figure: Int) { all.append((name, figure)) }
    for lane in Lane.allCases {
      for step in Workload.counted {
        let what = step == .w4 ? "inputs of `all`, W4" : "steps, \(step.rawValue)"
        add(
          "allocations per 1000 \(what), \(lane.rawValue)", allocations { makeSteps(step, lane, $0) })
      }
    }
    for shape in Shape.all {
      add("allocations per 1000 handlers, \(shape.name)", allocations(shape.use))
    }
    add("bytes of a pending promise", growth { [Promise()] })
    let withHandler = growth {
      let promise = Promise()
      promise.then { $0 as! Int + 1 }
      return [promise]
    }
    add("bytes of a pending promise with a handler and its child", withHandler)
    let withResolver = growth {
      let (promise, resolver) = Promise.pending()
      return [promise, resolver]
    }
    add("bytes of a pending promise with its resolver", withResolver)
    add("bytes left of 1000 settled promises with handlers that captured something", left())
    return all
  }

  /// The bytes that remain allocated after everything is settled and released. More than 0 is a leak.
  private static func left() -> Int {
    func settle() {
      for _ in 0..<1000 {
        let captured = SteppedContext()
        let promise = Promise(on: .immediate)
        promise.then { value in withExtendedLifetime(captured) { value } }
        promise.fulfill(0)
      }
    }
    settle()
    let before = allocations_bytes()
    settle()
    return Int(allocations_bytes() - before)
  }

  private static func allocations(_ run: (Int) -> Void) -> Int {
    // This uncounted run fills the caches of metadata, conformances and the context.
    run(few)
    let short = made { run(few) }
    let long = made { run(many) }
    // Rounds to the nearest figure, because the system may reuse one or two cached pieces.
    return ((long - short) * 1000 + (many - few) / 2) / (many - few)
  }

  private static func made(_ body: () -> Void) -> Int {
    let before = allocations_made()
    body()
    return Int(allocations_made() - before)
  }

  /// The bytes of everything that a call of `make` allocates and keeps, including the heap's own bytes.
  private static func growth(_ make: () -> [AnyObject]) -> Int {
    let count = 1000
    var kept: [AnyObject] = []
    kept.reserveCapacity(3 * count)
    kept += make()
    let before = allocations_bytes()
    for _ in 0..<count { kept += make() }
    let after = allocations_bytes()
    return withExtendedLifetime(kept) { Int(after - before) / count }
  }
}
