// Passes outcomes to one closure, one at a time.

import DynamicPromise

/// Retained by the pending inputs.
final class BatchDelivery: Sendable {
  /// Settles when all outcomes have been delivered, or delivery has stopped.
  let promise: Promise
  private let resolver: Resolver
  private let queue: TaskQueue
  private let left: Guarded<Int>

  init(_ count: Int, on context: (any ExecutionContext)?) {
    (promise, resolver) = Promise.pending(on: context)
    queue = TaskQueue(on: context)
    left = Guarded(count)
    resolver.onCancel { [weak queue] reason in queue?.cancelAll(reason) }
    if count == 0 { resolver.fulfill(()) }
  }

  /// Calls `body` when the earlier calls have ended.
  func deliver(_ body: @escaping @Sendable () throws -> Any) {
    let delivery = queue.add { () throws -> Any? in
      // An earlier call has failed, or the promise was cancelled.
      self.promise.isPending ? try body() : nil
    }
    delivery.thenOn(.immediate, { _ in self.delivered() }, { self.fail($0) })
  }

  private func delivered() {
    let left = left.with { left in
      left -= 1
      return left
    }
    if left == 0 { resolver.fulfill(()) }
  }

  private func fail(_ reason: any Error) {
    resolver.reject(reason)
    queue.cancelAll(reason)
  }
}
