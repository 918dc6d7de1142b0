import Dispatch
import DynamicPromise

struct Refused: Error, Equatable {}

/// A class that is not Sendable, like most results of programs.
nonisolated final class Report {
  var lines: [String] = []
}

struct Ready: Thenable {
  var then: ThenMethod? { { resolve, _ in resolve("ready") } }
}

/// Ways to make a promise, and to settle it.
func made() -> [Promise] {
  let queue = DispatchQueue(label: "client")
  let byHand = Promise()
  byHand.fulfill(1)
  let onQueue = Promise(on: queue)
  onQueue.reject(Refused())
  let hooks = Promise(onCancel: { _ in }, onAbandon: {})
  hooks.resolve(Ready())
  let (promise, resolver) = Promise.pending()
  resolver.onCancel { _ in }
  resolver.onAbandon {}
  resolver.onTermination { (_: Resolver.Termination) in }
  if !resolver.isCancelled, !resolver.isAbandoned { resolver.fulfill("text") }
  let (other, otherResolver) = Promise.pending(on: queue)
  otherResolver.resolve("value", nil)
  let bound = Promise()
  bound.bind(other)
  let rejected = Promise { resolver in resolver.reject("reason") }
  let resolved = Promise(on: .shared) { resolver in resolver.resolve(Promise.resolved(2)) }
  let task = Promise { await Task.yield() }
  return [
    byHand, onQueue, hooks, promise, other, bound, rejected, resolved, task,
    .resolved(Optional<Int>.none as Any), .rejected("reason"),
    .task { Report() }, .task(on: queue) { throw Refused() },
  ]
}
