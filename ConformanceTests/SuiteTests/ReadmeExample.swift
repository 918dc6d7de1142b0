// The example of ../README.md, between the two lines; a test compares them.

// README: begin
import PromisesAPlusSuite

struct TinyAdapter: PromiseAdapter {
  func pending() -> Deferred<TinyPromise> {
    let promise = TinyPromise()
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

func checkTinyPromise() {
  let report = ConformanceRun().run(TinyAdapter())
  print(report.passedCount, "of", report.results.count, "cases passed")
  for failure in report.failures { print(failure.testCase.id, failure.outcome) }
}
// README: end
