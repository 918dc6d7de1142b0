// Makes handlers of each shape on one thread, to count the cost of a shape. `then` is the reference.

import Dispatch
import DynamicPromise

private struct Refusal: Error {}

package struct Shape: Sendable {
  package let name: String
  /// Makes this many handlers.
  package let use: @Sendable (_ count: Int) -> Void

  /// Most are children of one settled promise, and run at once. Some make a chain instead, so that no
  /// rejection is unhandled.
  package static let all = [
    Shape(name: "then") { below(fulfilled, $0) { parent, _ in parent.then { _ in 0 } } },
    Shape(name: "then-passed-by") { chain(rejected, $0) { $0.then { _ in 0 } } },
    Shape(name: "catch") { below(rejected, $0) { parent, _ in parent.catch { _ in 0 } } },
    Shape(name: "typed-catch") { below(rejected, $0) { parent, _ in parent.catch { (_: Refusal) in 0 } } },
    Shape(name: "catch-passed-by") { chain(fulfilled, $0) { $0.catch { _ in 0 } } },
    Shape(name: "finally") { below(fulfilled, $0) { parent, _ in parent.finally {} } },
    Shape(name: "two-handlers") { below(fulfilled, $0) { parent, _ in parent.then({ _ in 0 }, { _ in 0 }) } },
    Shape(name: "two-handlers-capturing") {
      below(fulfilled, $0) { parent, index in parent.then({ _ in index }, { _ in index }) }
    },
    Shape(name: "then-on-queue") {
      let queue = DispatchQueue(label: "shape")
      queue.suspend()
      below(makeFulfilled(on: queue), $0) { parent, _ in parent.then { _ in 0 } }
      queue.resume()
      queue.sync {}
    },
    // These handlers never run, because the main queue is not drained.
    Shape(name: "then-on-main") { below(fulfilled, $0) { parent, _ in parent.thenOnMain { _ in 0 } } },
  ]
}

private var fulfilled: Promise { makeFulfilled(on: .immediate) }

private func makeFulfilled(on context: some ExecutionContext) -> Promise {
  let promise = Promise(on: context)
  promise.fulfill(0)
  return promise
}

private var rejected: Promise {
  let promise = Promise(on: .immediate)
  promise.reject(Refusal())
  return promise.ignoreErrors()
}

@inline(__always)
private func below(_ parent: Promise, _ count: Int, _ child: (Promise, Int) -> Promise) {
  for index in 0..<count { _ = child(parent, index) }
}

@inline(__always)
private func chain(_ start: Promise, _ count: Int, _ child: (Promise) -> Promise) {
  var promise = start
  for _ in 0..<count { promise = child(promise) }
  promise.ignoreErrors()
}
