// The library on five contexts. `DynamicPromise+Extremes.swift` has W7 to W14.

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
    /// Handlers run on threads of Dispatch, and may overlap.
    case overlapping
  }

  let name: String
  let manner: Manner
  /// W14, if the contender has a queue for it.
  let toQueue: Run?
  let stage: @Sendable () -> Stage

  static let onImmediate = Self(name: "DynamicPromise immediate", manner: .inPlace, toQueue: nil) {
    stage(on: .immediate)
  }

  static let onStepped = Self(name: "DynamicPromise stepped", manner: .stepped, toQueue: nil) {
    let context = SteppedContext()
    return stage(on: context) { context.drain() }
  }

  static let onDefault = Self(
    name: "DynamicPromise default", manner: .overlapping,
    toQueue: { w14($0, .reading(.concurrent("to"))) }
  ) {
    Stage(promise: { Promise() }, opened: { opened { body in Promise { body($0) } } })
  }

  static let onSerial = Self(
    name: "DynamicPromise serial", manner: .inTurn, toQueue: { w14($0, .serial("to")) }
  ) { stage(on: .serial("own")) }

  static let onBarrier = Self(
    name: "DynamicPromise barrier", manner: .inTurn, toQueue: { w14($0, .concurrent("to")) }
  ) { stage(on: .concurrent("own")) }

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

  var runs: [Workload: Run] {
    var runs: [Workload: Run] = [
      .w1: w1, .w2: w2, .w3: w3, .w4: w4, .w5: w5, .w5r: w5r, .w5c: w5c, .w6: w6, .w14: toQueue,
    ].compactMapValues { $0 }
    // Queues change only the time of the other workloads.
    guard manner != .inTurn else { return runs }
    runs.merge([.w7: w7, .w8a: w8a, .w10: w5, .w11a: w11a]) { $1 }
    // In place, each iteration would run inside the handler of the previous one.
    if manner != .inPlace { runs[.w9] = w9 }
    if manner == .inPlace { runs[.w12] = w12 }
    // A stepped context has one thread.
    if manner != .stepped { runs[.w13] = w13 }
    return runs
  }

  @Sendable private func w1(_ count: Int) -> Figures {
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

  @Sendable private func w2(_ count: Int) -> Figures {
    let (stage, latch) = (stage(), Latch())
    return time {
      let root = stage.promise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      promise.then { _ in latch.hit() }
      root.fulfill(0)
      stage.drain()
      latch.wait()
    }
  }

  @Sendable private func w3(_ count: Int) -> Figures {
    let stage = stage()
    return timeAll(count, stage) { latch in
      let root = stage.promise()
      for _ in 0..<count { addStep(to: root, latch) }
      root.fulfill(0)
      stage.drain()
    }
  }

  @Sendable private func w4(_ count: Int) -> Figures {
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

  @Sendable private func w5(_ count: Int) -> Figures {
    let stage = stage()
    return timeAll(count, stage) { latch in
      for _ in 0..<count {
        let promise = stage.promise()
        addStep(to: promise, latch)
        promise.fulfill(0)
        stage.drain()
      }
    }
  }

  @Sendable private func w5r(_ count: Int) -> Figures {
    let stage = stage()
    return timeAll(count, stage) { latch in
      for _ in 0..<count {
        let (promise, resolver) = stage.opened()
        addStep(to: promise, latch)
        resolver.fulfill(0)
        stage.drain()
      }
    }
  }

  @Sendable private func w5c(_ count: Int) -> Figures {
    let stage = stage()
    return timeAll(count, stage) { latch in
      for index in 0..<count {
        let promise = stage.promise()
        if let latch {
          promise.then {
            latch.hit()
            return $0 as! Int + index + count
          }
        } else {
          promise.then { $0 as! Int + index + count }
        }
        promise.fulfill(0)
        stage.drain()
      }
    }
  }

  @Sendable private func w6(_ count: Int) -> Figures {
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

  /// Measures `body` until all handlers have run. If handlers may overlap, any may end last, so `body`
  /// receives a latch that each hits. Otherwise, the handler of one more promise ends last.
  private func timeAll(_ count: Int, _ stage: Stage, _ body: (Latch?) -> Void) -> Figures {
    let (overlaps, latch) = (manner == .overlapping, Latch(manner == .overlapping ? count : 1))
    return time {
      body(overlaps ? latch : nil)
      if !overlaps {
        let last = stage.promise()
        last.then { _ in latch.hit() }
        last.fulfill(0)
        stage.drain()
      }
      latch.wait()
    }
  }

  @inline(__always)
  private func addStep(to promise: Promise, _ latch: Latch?) {
    if let latch {
      promise.then {
        latch.hit()
        return $0 as! Int + 1
      }
    } else {
      promise.then { $0 as! Int + 1 }
    }
  }
}
