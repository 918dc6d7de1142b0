import PromisesAPlusSuite
import TinyPromise

struct TinyAdapter: PromiseAdapter {
  var context: TinyPromise.Context? = TinyPromise.onQueue

  func pending() -> Deferred<TinyPromise> {
    let promise = TinyPromise(context: context)
    return Deferred(
      promise: promise,
      resolve: { promise.resolve($0) },
      fulfill: { promise.fulfill($0) },
      reject: { promise.reject(error(for: $0)) })  // a reason that is no Error comes wrapped in one
  }

  func then(_ promise: TinyPromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> TinyPromise {
    promise.then(onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { SuiteThenable(source: source) }

  func isCycleError(_ reason: Any) -> Bool { reason is TinyPromise.Cycle }

  func on(_ context: SteppedContext) -> TinyAdapter? { TinyAdapter(context: { context.enqueue($0) }) }
}

struct SuiteThenable: TinyThenable {
  let source: ThenableSource

  var then: Then? {
    get throws {
      guard let then = try source.readThen() else { return nil }
      return { resolve, reject in try then(resolve) { reject(TinyAdapter().error(for: $0)) } }
    }
  }
}

extension TinyAdapter {
  var combinators: Combinators<TinyPromise> {
    var mine = Combinators<TinyPromise>()
    mine.reject = { reason in rejected(reason) }
    mine.withResolvers = { pending() }
    mine.try = { callback in
      let made = pending()
      do { made.resolve(try callback()) } catch { made.reject(error) }
      return made.promise
    }
    return mine
  }
}
