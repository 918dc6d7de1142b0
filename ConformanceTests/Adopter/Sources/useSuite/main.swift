import DynamicPromise
import PromisesAPlusSuite

struct Adapter: PromiseAdapter {
  func pending() -> Deferred<Promise> {
    let promise = Promise()
    return Deferred(
      promise: promise,
      resolve: { promise.resolve($0) }, fulfill: { promise.fulfill($0) }, reject: { promise.reject($0) })
  }

  func then(_ promise: Promise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Promise {
    promise.then(onFulfilled, onRejected.map(rejectionHandler))
  }

  private func rejectionHandler(_ handler: @escaping Handler) -> @Sendable (any Error) throws -> Any {
    { error in try handler(error) }
  }
}

var run = ConformanceRun()
run.cases = ConformanceSuite.cases(matching: "2.1")
run.deadline = 60
let report = run.run(Adapter())
precondition(report.failures.isEmpty && report.official.passed > 0)
print("PromisesAPlusSuite: \(report.official.words)")
