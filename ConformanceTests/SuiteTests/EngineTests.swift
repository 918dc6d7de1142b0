import Foundation
import PromisesAPlusSuite
import XCTest

/// The engine: what it reports about hangs, limits and progress.
final class EngineTests: XCTestCase {
  func testACallThatDoesNotReturnFailsItsCaseAndTheRunContinues() {
    let gate = DispatchSemaphore(value: 0)
    let cases = Array(
      ConformanceSuite.cases(matching: "2.2.2.1").filter { $0.inexpressible == nil }.prefix(3))
    let adapter = StuckAdapter(gate: gate)
    let report = ConformanceRun(cases: cases, deadline: 0.1).run(adapter)
    for _ in 0..<100 { gate.signal() }
    XCTAssertEqual(report.results.map(\.testCase.id), cases.map(\.id))
    XCTAssertEqual(report.failures.map(\.testCase.id), cases.map(\.id))
    for result in report.failures {
      guard case .failed(let message) = result.outcome else { continue }
      XCTAssertTrue(message.contains("within") || message.contains("in time"), message)
    }
  }

  func testAHandlerThatIsNeverCalledFailsItsCaseWithTheDeadline() throws {
    let run = ConformanceRun(cases: ConformanceSuite.cases(matching: "2.2.2.1"), deadline: 0.1)
    let report = run.run(StandInAdapter(.lateHandlerLost))
    let failure = try XCTUnwrap(report.failures.first)
    XCTAssertEqual(failure.testCase.clause, "2.2.2.1")
    guard case .failed(let message) = failure.outcome else { return XCTFail("not a failure") }
    XCTAssertTrue(message.contains("0.1"), message)
  }

  /// However much time there is, no clock of the system has to count that far.
  func testADeadlineMayBeLongerThanAnyClockCounts() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1")
    for deadline: Double in [1e10, .greatestFiniteMagnitude, .infinity] {
      let report = ConformanceRun(cases: cases, deadline: deadline).run(StandInAdapter())
      XCTAssertEqual(report.passedCount, cases.count, "\(deadline)")
    }
  }

  func testStopsAfterTheGivenNumberOfFailures() throws {
    let cases = ConformanceSuite.cases(matching: "2.2.2")
    let all = ConformanceRun(cases: cases, deadline: 20).run(StandInAdapter(.valueCopied))
    XCTAssertGreaterThan(all.failures.count, 1)
    let first = ConformanceRun(cases: cases, deadline: 20, maximumFailures: 1)
      .run(StandInAdapter(.valueCopied))
    XCTAssertEqual(first.failures.map(\.testCase.id), all.failures.prefix(1).map(\.testCase.id))
    XCTAssertEqual(first.results.last?.testCase.id, first.failures.first?.testCase.id)
    XCTAssertLessThan(first.results.count, all.results.count)
  }

  func testTheObserverHearsOfEachCaseInOrder() {
    let cases = ConformanceSuite.cases(matching: "2.2.6")
    var heard: [String] = []
    let report = ConformanceRun(cases: cases, deadline: 20).run(StandInAdapter()) { event in
      switch event {
      case .started(let testCase): heard.append("start " + testCase.id)
      case .finished(let result): heard.append("end " + result.testCase.id)
      }
    }
    XCTAssertFalse(cases.isEmpty)
    XCTAssertEqual(heard, cases.flatMap { ["start " + $0.id, "end " + $0.id] })
    XCTAssertEqual(report.results.map(\.testCase.id), cases.map(\.id))
    XCTAssertTrue(report.isAsDeclared)
  }

  func testASelectorMeansAnIdAClauseOrAllBelowIt() throws {
    let below = Set(ConformanceSuite.cases(matching: "2.3.3").map(\.clause))
    XCTAssertTrue(below.isSuperset(of: ["2.3.3.1", "2.3.3.4", "2.3.3.3.4.1"]))
    XCTAssertTrue(below.allSatisfy { $0 == "2.3.3" || $0.hasPrefix("2.3.3.") })
    let one = try XCTUnwrap(ConformanceSuite.cases.first)
    XCTAssertEqual(ConformanceSuite.cases(matching: one.id).map(\.id), [one.id])
    XCTAssertTrue(ConformanceSuite.cases(matching: "2.3.3.").isEmpty)
    XCTAssertTrue(ConformanceSuite.cases(matching: "").isEmpty)
  }

  func testIdsAreUnique() {
    XCTAssertEqual(Set(ConformanceSuite.cases.map(\.id)).count, ConformanceSuite.cases.count)
  }
}

/// A promise whose `then` does not return until the gate opens.
private struct StuckAdapter: PromiseAdapter {
  let healthy = StandInAdapter()
  let gate: DispatchSemaphore

  func pending() -> Deferred<StandIn> { healthy.pending() }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    gate.wait()
    return healthy.then(promise, onFulfilled, onRejected)
  }
}
