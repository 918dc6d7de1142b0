// The library on five contexts.

import BenchmarkKit
import DynamicPromise
import GateKit

private let steps: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w5c, .w6]

/// Queues change only the time of the extreme workloads.
let dynamicPromises = [
  contestant(
    "immediate", steps + [.w7, .w8a, .w10, .w12, .w13], { OnContext(on: .immediate) },
    more: [.w11a: w11a]),
  contestant(
    "stepped", steps + [.w7, .w8a, .w10],
    {
      let context = SteppedContext()
      return OnContext(on: context) { context.drain() }
    },
    more: [.w9: w9, .w11a: w11a]),
  contestant(
    "default", steps + [.w7, .w8a, .w10, .w13],
    {
      OnContext(
        promise: { Promise() }, opened: { opened { body in Promise { body($0) } } }, overlaps: true)
    },
    more: [.w9: w9, .w11a: w11a, .w14: { count, _ in w14(count, .reading(.concurrent("to"))) }]),
  contestant(
    "serial", steps, { OnContext(on: .serial("own")) },
    more: [.w14: { count, _ in w14(count, .serial("to")) }]),
  contestant(
    "barrier", steps, { OnContext(on: .concurrent("own")) },
    more: [.w14: { count, _ in w14(count, .concurrent("to")) }]),
]

private func contestant(
  _ name: String, _ workloads: [Workload], _ make: @escaping @Sendable () -> OnContext,
  more: [Workload: @Sendable (_ count: Int, _ context: OnContext) throws -> Figures]
) -> Contender {
  let resolvers = contender("", [.w5]) { WithResolvers(context: make()) }
  var runs = more.mapValues { run -> Run in { try run($0, make()) } }
  runs[.w5r] = resolvers.runs[.w5]
  return contender("DynamicPromise \(name)", workloads, more: runs, make)
}

private protocol Untyped: Library where Step == Promise {}

extension Untyped {
  func all(_ steps: [Promise], _ latch: Latch) { Promise.all(steps).then { _ in latch.hit() } }

  @inline(__always) func then(_ step: Promise) -> Promise { step.then { $0 as! Int + 1 } }

  @inline(__always) @discardableResult func then(_ step: Promise, _ latch: Latch) -> Promise {
    step.then {
      latch.hit()
      return $0 as! Int + 1
    }
  }

  @inline(__always) func then(_ step: Promise, _ latch: Latch, adding number: Int) -> Promise {
    step.then {
      latch.hit()
      return $0 as! Int + number
    }
  }

  @inline(__always) func thenReturning(_ step: Promise) -> Promise {
    step.then { Promise.resolved($0 as! Int + 1) }
  }
}

/// Promises on a context that is used for one measurement.
private struct OnContext: Untyped {
  /// Makes a pending root.
  let promise: @Sendable () -> Promise
  /// Makes a pending root and its resolver with `Promise { resolver in ... }`.
  let opened: @Sendable () -> (promise: Promise, resolver: Resolver)
  let overlaps: Bool
  var drainContext: @Sendable () -> Void = {}

  func pending() -> Promise { promise() }
  func fulfill(_ root: Promise) { root.fulfill(0) }
  func step(of root: Promise) -> Promise { root }
  func drain() { drainContext() }

  func settled() -> Promise {
    let root = promise()
    root.fulfill(0)
    return root
  }
}

extension OnContext {
  @inline(__always)
  init(on context: some ExecutionContext, drain: @escaping @Sendable () -> Void = {}) {
    self.init(
      promise: { Promise(on: context) },
      opened: { benchmarks.opened { body in Promise(on: context) { body($0) } } }, overlaps: false,
      drainContext: drain)
  }
}

/// Returns the resolver that the closure receives, for a task that settles the promise later.
@inline(__always)
private func opened(_ make: ((Resolver) -> Void) -> Promise) -> (promise: Promise, resolver: Resolver) {
  var resolver: Resolver?
  let promise = make { resolver = $0 }
  return (promise, resolver!)
}

/// The same promises, settled by resolvers, for W5r.
private struct WithResolvers: Untyped {
  let context: OnContext

  var overlaps: Bool { context.overlaps }
  func pending() -> (promise: Promise, resolver: Resolver) { context.opened() }
  func fulfill(_ root: (promise: Promise, resolver: Resolver)) { root.resolver.fulfill(0) }
  func step(of root: (promise: Promise, resolver: Resolver)) -> Promise { root.promise }
  func settled() -> Promise { context.settled() }
  func drain() { context.drain() }
}

/// Not in place, where each iteration would run inside the handler of the previous one.
@Sendable private func w9(_ count: Int, _ context: OnContext) -> Figures {
  let latch = Latch()
  @Sendable func iteration(_ left: Int) -> Promise {
    let promise = context.pending()
    promise.fulfill(left)
    return left == 0 ? promise : promise.then { iteration($0 as! Int - 1) }
  }
  return time {
    context.then(iteration(count), latch)
    context.drain()
    latch.wait()
  }
}

/// Waits after each 1,000 children. Otherwise, a backlog of jobs would hide the memory that promises keep.
@Sendable private func w11a(_ count: Int, _ context: OnContext) -> Figures {
  let root = context.settled()
  return time {
    for begin in stride(from: 0, to: count, by: 1000) {
      let batch = min(1000, count - begin)
      let latch = Latch(batch)
      for _ in 0..<batch {
        context.then(root, latch)
        context.drain()
      }
      latch.wait()
    }
  }
}

/// The promises are on the default context, but all handlers run on `context`.
private func w14(_ count: Int, _ context: some ExecutionContext) -> Figures {
  let latch = Latch(count)
  return time {
    for _ in 0..<count {
      let promise = Promise()
      promise.thenOn(context) {
        latch.hit()
        return $0 as! Int + 1
      }
      promise.fulfill(0)
    }
    latch.wait()
  }
}
