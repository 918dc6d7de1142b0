import PromisesAPlusSuite
import TinyPromise
import XCTest

/// A ``TinyPromise`` whose adapter is changed in one respect.
private struct ChangedAdapter: PromiseAdapter {
  var context: TinyPromise.Context? = TinyPromise.onQueue
  var handlerOrder: HandlerOrder = .bodies
  var capabilities: Capabilities { .all.subtracting(.thenables) }

  func pending() -> Deferred<TinyPromise> {
    let promise = TinyPromise(context: context)
    return Deferred(
      promise: promise, resolve: promise.resolve, fulfill: promise.fulfill,
      reject: { promise.reject(error(for: $0)) })
  }

  func then(_ promise: TinyPromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> TinyPromise {
    promise.then(onFulfilled, onRejected)
  }
}

/// The outcomes of cases, and their words in the report.
final class OutcomeTests: XCTestCase {
  func testAPromiseThatNeverSettlesFailsByNameAndTheRunContinues() {
    let cases = ConformanceSuite.cases(matching: "2.2.2")
    let report = ConformanceRun(cases: cases, deadline: 0.05).run(Silent())
    XCTAssertEqual(report.results.map(\.testCase.id), cases.map(\.id))
    XCTAssertEqual(report.results.first?.outcome, .failed("onFulfilled was not called within 0.05 s"))
    XCTAssertFalse(report.isAsDeclared)
  }

  func testHandlersOnTheStackFailAtTheirClauseUnlessDeclared() {
    let adapter = ChangedAdapter(context: nil)
    let cases = ConformanceSuite.cases(matching: "2.2.4")
    let report = ConformanceRun(cases: cases).run(adapter)
    XCTAssertTrue(report.failures.contains { $0.testCase.id == "2.2.4/1" })
    XCTAssertEqual(report.failures.filter(\.testCase.isOfficial).count, 16)
    let declared = Deviation("2.2.4", reason: "runs handlers at once")
    let second = ConformanceRun(cases: cases.filter(\.isOfficial), deviations: [declared]).run(adapter)
    XCTAssertTrue(second.isAsDeclared)
    XCTAssertEqual(
      second.deviations.map(\.outcome), Array(repeating: .deviated("runs handlers at once"), count: 16))
  }

  func testASchedulingLogThatIsNotUsedProvesNothing() {
    let adapter = ChangedAdapter(handlerOrder: .scheduling(SchedulingLog(), reason: "bodies overlap"))
    let report = ConformanceRun(cases: ConformanceSuite.cases.filter(\.observesOrder)).run(adapter)
    XCTAssertEqual(report.failures.count, report.results.count)
  }
}
