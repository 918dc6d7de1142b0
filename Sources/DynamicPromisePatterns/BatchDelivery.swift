// Hands outcomes to one closure, one at a time.

import DynamicPromise

/// Held by the inputs that are still pending.
final class BatchDelivery: Sendable {
  /// Settles when all has been told, or nothing more will be.
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

  /// Calls `body` when those before have ended.
  func tell(_ body: @escaping @Sendable () throws -> Any) {
    let isTold = queue.add { () throws -> Any? in
      // One before has failed, or nobody wants to hear more.
      self.promise.isPending ? try body() : nil
    }
    isTold.thenOn(.immediate, { _ in self.told() }, { self.fail($0) })
  }

  private func told() {
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
