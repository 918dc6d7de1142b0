import DynamicPromise
import PromisesAPlusSuite

/// The library's combinators, and its ways to cancel.
extension DynamicPromiseAdapter {
  var combinators: Combinators<Promise> {
    var ours = Combinators<Promise>()
    ours.all = { inputs in Promise.all(inputs, on: treeContext) }
    ours.allSettled = { inputs in Promise.allSettled(inputs, on: treeContext) }
    ours.any = { inputs in Promise.any(inputs, on: treeContext) }
    ours.race = { inputs in Promise.race(inputs, on: treeContext) }
    ours.resolve = { x in Promise.resolved(x, on: treeContext) }
    ours.reject = { reason in Promise.rejected(reason, on: treeContext) }
    ours.withResolvers = { withResolvers() }
    ours.try = { callback in Promise(on: treeContext) { resolver in resolver.resolve(try callback()) } }
    ours.finally = { promise, callback in finally(promise, callback) }
    ours.errors = { reason in
      if case PromiseError.noneFulfilled(let reasons) = reason { reasons } else { nil }
    }
    return ours
  }

  /// `cancel` cancels down, `withdraw` cancels upward, and a ``CancelBag`` is the token.
  var cancellation: Cancellation<Promise> {
    var ours = Cancellation<Promise>()
    ours.down = { promise in _ = promise.cancel() }
    ours.up = { promise in _ = promise.withdraw() }
    ours.token = {
      let owner = BagOwner()
      return CancellationToken(tie: { promise in owner.tie(promise) }, cancel: { owner.leave() })
    }
    return ours
  }

  /// The default context of promises without a parent.
  private var treeContext: (any ExecutionContext)? {
    if case .tree(let context) = route { context ?? .inherited } else { .inherited }
  }

  private func withResolvers() -> Deferred<Promise> {
    let (promise, resolver) = Promise.pending(on: treeContext)
    return Deferred(
      promise: promise,
      resolve: { resolver.resolve($0) }, fulfill: { resolver.fulfill($0) }, reject: { resolver.reject($0) })
  }

  private func finally(_ promise: Promise, _ callback: @escaping @Sendable () throws -> Any) -> Promise {
    switch route {
    case .tree: promise.finally(callback)
    case .explicit(let context, _): call { promise.finallyOn(context, callback) }
    case .onMain: promise.finallyOnMain(callback)
    }
  }
}

/// Owns a bag, and releases the bag when the token is cancelled. A promise that is tied later uses a new bag,
/// which is released at once.
private final class BagOwner: Sendable {
  private let bag = Locked<CancelBag?>(CancelBag())

  func tie(_ promise: Promise) -> Promise { promise.cancelled(with: bag.value ?? CancelBag()) }

  /// Releases the bag outside of the lock, because the release runs the hooks of the bag's promises.
  func leave() { _ = bag.withLock { $0.take() } }
}
