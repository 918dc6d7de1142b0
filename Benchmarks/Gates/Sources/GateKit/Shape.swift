// Makes handlers of each shape on one thread, to count the cost of a shape. `then` is the reference.

import Dispatch
import DynamicPromise

package enum Shape: String, CaseIterable, Sendable {
  case then = "then"
  case thenPassedBy = "then-passed-by"
  case catches = "catch"
  case typedCatch = "typed-catch"
  case catchPassedBy = "catch-passed-by"
  case finally = "finally"
  case finallyOfRejection = "finally-of-rejection"
  case twoHandlers = "two-handlers"
  case twoHandlersOfRejection = "two-handlers-of-rejection"
  case twoCapturing = "two-handlers-capturing"
  case onMain = "then-on-main-pending"
  case catchOnMain = "catch-on-main-pending"
  case twoOnMain = "two-handlers-on-main-pending"
  case onQueue = "then-on-queue"
  case onMainEnqueued = "then-on-main"
}

private struct Refusal: Error {}

extension Shape {
  /// Makes `count` children with handlers of this shape. Most are children of one settled promise, and run at
  /// once. Some shapes make a chain instead, so that no rejection is unhandled. Handlers on a queue run after
  /// all are enqueued. Handlers on the main queue never run: their parent is pending, or the main queue is
  /// not drained.
  package func use(_ count: Int) {
    switch self {
    case .then: Self.below(Self.fulfilled, count) { parent, _ in parent.then { _ in 0 } }
    case .thenPassedBy: Self.chain(Self.rejected, count) { $0.then { _ in 0 } }
    case .catches: Self.below(Self.rejected, count) { parent, _ in parent.catch { _ in 0 } }
    case .typedCatch: Self.below(Self.rejected, count) { parent, _ in parent.catch { (_: Refusal) in 0 } }
    case .catchPassedBy: Self.chain(Self.fulfilled, count) { $0.catch { _ in 0 } }
    case .finally: Self.below(Self.fulfilled, count) { parent, _ in parent.finally {} }
    case .finallyOfRejection: Self.chain(Self.rejected, count) { $0.finally {} }
    case .twoHandlers: Self.below(Self.fulfilled, count) { parent, _ in parent.then({ _ in 0 }, { _ in 0 }) }
    case .twoHandlersOfRejection:
      Self.below(Self.rejected, count) { parent, _ in parent.then({ _ in 0 }, { _ in 0 }) }
    case .twoCapturing:
      Self.below(Self.fulfilled, count) { parent, index in parent.then({ _ in index }, { _ in index }) }
    case .onMain: Self.below(Promise(), count) { parent, _ in parent.thenOnMain { _ in 0 } }
    case .catchOnMain: Self.below(Promise(), count) { parent, _ in parent.catchOnMain { _ in 0 } }
    case .twoOnMain:
      Self.below(Promise(), count) { parent, _ in parent.thenOnMain({ _ in 0 }, { _ in 0 }) }
    case .onQueue:
      let queue = DispatchQueue(label: "shape")
      queue.suspend()
      Self.below(Self.fulfilled(on: queue), count) { parent, _ in parent.then { _ in 0 } }
      queue.resume()
      queue.sync {}
    case .onMainEnqueued: Self.below(Self.fulfilled, count) { parent, _ in parent.thenOnMain { _ in 0 } }
    }
  }

  private static var fulfilled: Promise { fulfilled(on: .immediate) }

  private static func fulfilled(on context: some ExecutionContext) -> Promise {
    let promise = Promise(on: context)
    promise.fulfill(0)
    return promise
  }

  private static var rejected: Promise {
    let promise = Promise(on: .immediate)
    promise.reject(Refusal())
    return promise.ignoreErrors()
  }

  @inline(__always)
  private static func below(_ parent: Promise, _ count: Int, _ child: (Promise, Int) -> Promise) {
    for index in 0..<count { _ = child(parent, index) }
  }

  @inline(__always)
  private static func chain(_ start: Promise, _ count: Int, _ child: (Promise) -> Promise) {
    var promise = start
    for _ in 0..<count { promise = child(promise) }
    promise.ignoreErrors()
  }
}
