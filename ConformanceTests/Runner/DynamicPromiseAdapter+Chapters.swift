import DynamicPromise
import PromisesAPlusSuite

/// The library's combinators.
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

  /// The default context of promises without a parent.
  private var treeContext: (any ExecutionContext)? {
    if case .tree(let context) = route { context } else { nil }
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
