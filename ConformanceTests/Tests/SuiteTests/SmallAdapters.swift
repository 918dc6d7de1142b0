import Foundation
import PromisesAPlusSuite

/// A promise whose handlers never run.
struct Silent: PromiseAdapter {
  func pending() -> Deferred<Int> {
    Deferred(promise: 0, resolve: { _ in }, fulfill: { _ in }, reject: { _ in })
  }

  func then(_ promise: Int, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Int { 0 }
}

/// A stand-in with closures that `pending()` and `then` call first.
struct WatchedAdapter: PromiseAdapter {
  var base = StandInAdapter()
  var beforePending: @Sendable () -> Void = {}
  var beforeThen: @Sendable () -> Void = {}

  func pending() -> Deferred<StandIn> {
    beforePending()
    return base.pending()
  }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    beforeThen()
    return base.then(promise, onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { base.thenable(source) }

  func on(_ context: SteppedContext) -> WatchedAdapter? {
    var copy = self
    copy.base = base.on(context) ?? base
    return copy
  }
}

/// Calls `body` with a stand-in whose `then` does not return before `body` returns.
func withHangingAdapter<R>(_ body: (WatchedAdapter) throws -> R) rethrows -> R {
  let gate = DispatchSemaphore(value: 0)
  defer { for _ in 0..<100 { gate.signal() } }
  return try body(WatchedAdapter(beforeThen: { gate.wait() }))
}
