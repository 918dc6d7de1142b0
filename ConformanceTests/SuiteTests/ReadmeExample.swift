// The examples of ../README.md, between the lines; a test compares them.

import Foundation
// README: begin
import PromisesAPlusSuite

struct TinyAdapter: PromiseAdapter {
  var context = TinyPromise.onQueue

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

func checkTinyPromise() {
  let report = ConformanceRun().run(TinyAdapter())
  print(report)
  for failure in report.failures.prefix(10) { print(failure) }
}
// README: end

// README: begin
func checkTinyPromiseWithPrograms() -> Bool {
  let report = ProgramRun(count: 10_000).run(TinyAdapter())
  print(report)  // 10000 random programs hold (6000 a second)
  return report.isSuccess
}
// README: end

// README: begin
func checkTinyPromiseWithLimits() -> Bool {
  var run = ConformanceRun()
  run.cases = ConformanceSuite.cases(matching: "2.2.6") + ConformanceSuite.cases(matching: "2.3.1")
  run.deadline = 20  // seconds a case may wait; 5 unless told otherwise
  run.maximumHangs = 1  // cases of a section that may wait in vain before the rest is given up; 3
  run.maximumFailures = 10  // then the run ends; unlimited
  let report = run.run(TinyAdapter()) { event in  // the observer
    switch event {
    case .started(let testCase): lastStarted.set(testCase.id)  // a string of yours, read after a crash
    case .finished(let result): if result.outcome != .passed { print(result) }
    }
  }
  print(report.official.words, report.beyond.words, report.givenUp.count)
  return report.isAsDeclared
}
// README: end

// README: begin
extension TinyAdapter {
  var combinators: Combinators<TinyPromise> {
    var mine = Combinators<TinyPromise>()
    mine.reject = { reason in rejected(reason) }
    mine.withResolvers = { pending() }
    mine.try = { callback in fulfilled(0).then({ _ in try callback() }, nil) }
    return mine
  }
}

func checkTinyCombinators() -> ConformanceReport {
  ConformanceRun(cases: ConformanceSuite.combinators).run(TinyAdapter())
}
// README: end

/// Where the example above notes the case that is running.
let lastStarted = LastStarted()

final class LastStarted: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var stored = ""

  var id: String { lock.withLock { stored } }
  func set(_ id: String) { lock.withLock { stored = id } }
}
