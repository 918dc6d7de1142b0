// The library on each kind of context. `DynamicPromise+Extremes.swift` has W7 to W13,
// `DynamicPromiseToQueue.swift` has W14, and `DynamicPromise+Links.swift` has W15.

import BenchmarkKit
import Dispatch
import DynamicPromise
import GateKit

struct DynamicPromiseContender: Contender {
  /// A context that has been set up for one measurement.
  struct Stage: Sendable {
    /// Makes a pending root.
    let promise: @Sendable () -> Promise
    /// Makes a pending root and its resolver with `Promise { resolver in ... }`.
    let opened: @Sendable () -> (promise: Promise, resolver: Resolver)
    /// Runs the context's waiting jobs. Does nothing if threads run them.
    var drain: @Sendable () -> Void = {}
  }

  enum Manner {
    /// Handlers run on the stack that registers them or settles their promise.
    case inPlace
    /// Handlers run on the one thread that drains the context.
    case stepped
    /// Handlers run on threads of Dispatch, one after another.
    case inTurn
    /// Handlers run on threads of Dispatch. Any handler of one promise may end last, because these handlers
    /// may overlap.
    case overlapping
  }

  let name: String
  let manner: Manner
  let stage: @Sendable () -> Stage

  var overlaps: Bool { manner == .overlapping }

  var runs: [Workload: Run] {
    let steps: [Workload: Run] = [.w1: w1, .w3: w3, .w4: w4, .w5: w5, .w5r: w5r, .w6: w6]
    return steps.merging(extremes) { first, _ in first }.merging(links) { first, _ in first }
  }

  static let onDefault = DynamicPromiseContender(name: "DynamicPromise default", manner: .overlapping) {
    Stage(
      promise: { Promise() },
      opened: { opened { body in Promise { body($0) } } })
  }

  static let onSerial = DynamicPromiseContender(name: "DynamicPromise serial", manner: .inTurn) {
    stage(on: DispatchQueue(label: "serial"))
  }

  static let onBarrier = DynamicPromiseContender(name: "DynamicPromise barrier", manner: .inTurn) {
    stage(on: DispatchQueue(label: "concurrent", attributes: .concurrent))
  }

  static let onStepped = DynamicPromiseContender(name: "DynamicPromise stepped", manner: .stepped) {
    let context = SteppedContext()
    return stage(on: context) { context.drain() }
  }

  static let onImmediate = DynamicPromiseContender(name: "DynamicPromise immediate", manner: .inPlace) {
    stage(on: .immediate)
  }

  @inline(__always)
  private static func stage(
    on context: some ExecutionContext, drain: @escaping @Sendable () -> Void = {}
  ) -> Stage {
    Stage(
      promise: { Promise(on: context) },
      opened: { opened { body in Promise(on: context) { body($0) } } }, drain: drain)
  }

  /// Returns the resolver that the closure receives, for a task that settles the promise later.
  @inline(__always)
  private static func opened(_ make: ((Resolver) -> Void) -> Promise) -> (
    promise: Promise, resolver: Resolver
  ) {
    var resolver: Resolver?
    let promise = make { resolver = $0 }
    return (promise, resolver!)
  }

  /// Adds a step. If steps overlap, each step hits the latch, because any step may end last.
  @inline(__always)
  private func addStep(to promise: Promise, _ latch: Latch) {
    if overlaps {
      promise.then {
        latch.hit()
        return $0 as! Int + 1
      }
    } else {
      promise.then { $0 as! Int + 1 }
    }
  }

  @Sendable func w1(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch())
    return time {
      var promise = stage.promise()
      promise.fulfill(0)
      for _ in 0..<count {
        promise = promise.then { $0 as! Int + 1 }
        stage.drain()
      }
      promise.then { _ in latch.hit() }
      stage.drain()
      latch.wait()
    }
  }

  @Sendable func w2(_ count: Int) -> Figures {
    let (stage, latch) = (stage(), Latch())
    return timeChain(count) {
      let root = stage.promise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      return root
    } end: { root in
      root.fulfill(0)
      stage.drain()
      latch.wait()
    }
  }

  @Sendable func w3(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch(overlaps ? count : 1))
    return time {
      let root = stage.promise()
      for _ in 0..<count { addStep(to: root, latch) }
      if !overlaps { root.then { _ in latch.hit() } }
      root.fulfill(0)
      stage.drain()
      latch.wait()
    }
  }

  @Sendable func w4(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch())
    return time {
      let inputs = (0..<count).map { _ in stage.promise() }
      Promise.all(inputs).then { _ in latch.hit() }
      Helper.first.start { for input in inputs { input.fulfill(0) } }
      Helper.first.join()
      stage.drain()
      latch.wait()
    }
  }

  @Sendable func w5(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch(overlaps ? count : 1))
    return time {
      for _ in 0..<count {
        let promise = stage.promise()
        addStep(to: promise, latch)
        promise.fulfill(0)
        stage.drain()
      }
      if !overlaps {
        let last = stage.promise()
        last.then { _ in latch.hit() }
        last.fulfill(0)
        stage.drain()
      }
      latch.wait()
    }
  }

  @Sendable func w5r(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch(overlaps ? count : 1))
    return time {
      for _ in 0..<count {
        let (promise, resolver) = stage.opened()
        addStep(to: promise, latch)
        resolver.fulfill(0)
        stage.drain()
      }
      if !overlaps {
        let (promise, resolver) = stage.opened()
        promise.then { _ in latch.hit() }
        resolver.fulfill(0)
        stage.drain()
      }
      latch.wait()
    }
  }

  @Sendable func w6(_ count: Int) -> Double {
    let (stage, latch) = (stage(), Latch())
    return time {
      let root = stage.promise()
      var promise = root
      for _ in 0..<count { promise = promise.then { Promise.resolved($0 as! Int + 1) } }
      promise.then { _ in latch.hit() }
      root.fulfill(0)
      stage.drain()
      latch.wait()
    }
  }
}
