import Foundation
import PromisesAPlusSuite

/// A promise whose handlers never run.
struct Silent: PromiseAdapter {
  func pending() -> Deferred<Int> {
    Deferred(promise: 0, resolve: { _ in }, fulfill: { _ in }, reject: { _ in })
  }

  func then(_ promise: Int, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Int { 0 }
}

/// A promise with a closure that each `pending()` calls.
struct WatchedAdapter: PromiseAdapter {
  var base = StandInAdapter()
  let watch: @Sendable () -> Void

  func pending() -> Deferred<StandIn> {
    watch()
    return base.pending()
  }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    base.then(promise, onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { base.thenable(source) }

  func on(_ context: SteppedContext) -> WatchedAdapter? {
    base.on(context).map { WatchedAdapter(base: $0, watch: watch) }
  }
}

/// A correct promise whose `then` returns only after the gate has opened.
struct HangingAdapter: PromiseAdapter {
  var base = StandInAdapter()
  let gate: DispatchSemaphore

  func pending() -> Deferred<StandIn> { base.pending() }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    gate.wait()
    return base.then(promise, onFulfilled, onRejected)
  }

  func on(_ context: SteppedContext) -> HangingAdapter? {
    base.on(context).map { HangingAdapter(base: $0, gate: gate) }
  }
}
