// Passes outcomes to one closure, one at a time.

import DynamicPromise
import Synchronization

/// The calls of one `onEach` closure. The pending inputs retain this object.
final class BatchDelivery: Sendable {
  /// Settles when all outcomes have been delivered, or delivery has stopped.
  let promise: Promise
  private let resolver: Resolver
  private let queue: TaskQueue
  private let left: Atomic<Int>

  init(_ count: Int, on context: (any ExecutionContext)?) {
    (promise, resolver) = Promise.pending(on: context)
    queue = TaskQueue(on: context)
    left = Atomic(count)
    resolver.onCancel { [weak self] reason in self?.cancel(reason) }
    if count == 0 { resolver.fulfill(()) }
  }

  /// Calls `body` when the earlier calls have ended.
  func deliver(_ body: @escaping @Sendable () throws -> Any) {
    let delivery = queue.add { () -> Any? in
      // Does not call `body` after an earlier call has failed, or after the promise was cancelled.
      guard self.promise.isPending else { return nil }
      do {
        // The task ends after a failure has been recorded, so that the next task sees the failure.
        return Promise.resolved(try body(), on: .immediate).then({ _ in self.delivered() }, { self.fail($0) })
      } catch {
        self.fail(error)
        return nil
      }
    }
    // `delivery` is rejected if the context drops the job.
    delivery.catchOn(.immediate) { self.fail($0) }
  }

  /// Uses the resolver when the running call has ended. Pending inputs retain the resolver; if the resolver
  /// stayed unused, the promise would not be finished until all inputs settle.
  private func cancel(_ reason: any Error) {
    queue.cancelAll(reason)
    queue.add { self.resolver.reject(reason) }
  }

  private func delivered() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { resolver.fulfill(()) }
  }

  private func fail(_ reason: any Error) {
    resolver.reject(reason)
    queue.cancelAll(reason)
  }
}
