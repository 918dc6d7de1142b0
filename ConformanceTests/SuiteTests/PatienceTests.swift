import Foundation
import PromisesAPlusSuite
import XCTest

/// What a run does with a promise for which hundreds of cases wait in vain.
final class PatienceTests: XCTestCase {
  /// A stranger's promise that takes thenables for values, with everything as it comes.
  func testAPromiseWithoutThenablesIsReportedInSeconds() {
    XCTAssertEqual(ConformanceRun().deadline, 5)
    let report = ConformanceRun(deadline: 1.5).run(StandInAdapter(.thenableIsAValue))
    // One whole deadline, and two of half a second.
    let waits = report.failures.compactMap { failure -> Substring? in
      guard case .failed(let message) = failure.outcome else { return nil }
      return message.firstMatch(of: /within (.*) s/)?.1
    }
    XCTAssertEqual(waits, ["1.5", "0.5", "0.5"], "\(report)")
    XCTAssertTrue(report.description.contains("leaves `.thenables` out of `capabilities`"))
    XCTAssertEqual(report.results.count, ConformanceSuite.cases.count)
    XCTAssertFalse(report.isAsDeclared)
    XCTAssertTrue(report.failures.allSatisfy { $0.testCase.clause.hasPrefix("2.3.") })
    XCTAssertGreaterThan(report.official.passed, 200)
    XCTAssertLessThanOrEqual(
      report.description.split(separator: "\n", omittingEmptySubsequences: false).count, 24)
  }

  /// The clock is not asked here: how often the suite waited is what counts.
  func testASectionIsGivenUpAfterItsHangs() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1") + ConformanceSuite.cases(matching: "2.2.2.1")
    let report = ConformanceRun(cases: cases, deadline: 0.05, maximumHangs: 2).run(Silent())
    let run = report.results.filter { !$0.isGivenUp }
    XCTAssertEqual(run.map(\.testCase.clause), ["2.1.2.1", "2.1.2.1", "2.2.2.1", "2.2.2.1"])
    XCTAssertEqual(report.results.count, cases.count)
    XCTAssertEqual(report.failures.count, cases.count)
    XCTAssertEqual(report.givenUp.count, cases.count - 4)
    XCTAssertEqual(
      report.givenUp.first?.outcome,
      .failed("given up: 2 other cases of 2.1.2 waited to the deadline in vain"))
  }

  /// A promise may hang in several sections: only the run's first hang costs the whole deadline.
  func testOtherSectionsWaitLessAfterTheFirstHang() {
    let cases = ["2.1.2.1", "2.2.2.1"].flatMap { ConformanceSuite.cases(matching: $0).prefix(1) }
    let report = ConformanceRun(cases: cases, deadline: 1.2, maximumHangs: 1).run(Silent())
    let waits = report.failures.compactMap { failure -> Substring? in
      guard case .failed(let message) = failure.outcome else { return nil }
      return message.firstMatch(of: /within (.*) s/)?.1
    }
    XCTAssertEqual(waits, ["1.2", "1.0"], "\(report)")
  }

  func testWhatIsGivenUpDeviatesWhereThatIsDeclared() {
    let report = ConformanceRun(
      cases: ConformanceSuite.cases(matching: "2.2.2.1"),
      deviations: [Deviation("2.2.2.1", reason: "is silent")],
      deadline: 0.05, maximumHangs: 1
    ).run(Silent())
    XCTAssertTrue(report.isAsDeclared)
    XCTAssertEqual(report.givenUp.count, report.results.count - 1)
  }

  /// It is expected to hang, and then takes little of the time of others.
  func testADeclaredDeviationThatHangsCostsOthersNothing() {
    let cases = ["2.1.2.1", "2.1.3.1"].map { ConformanceSuite.cases(matching: $0)[0] }
    let deviations = [Deviation(cases[0].id, reason: "is silent")]
    let report = ConformanceRun(cases: cases, deviations: deviations, deadline: 1.2, maximumHangs: 1)
      .run(Silent())
    XCTAssertEqual(report.givenUp.count, 0)
    XCTAssertEqual(report.results[0].outcome, .deviated("is silent"))
    XCTAssertEqual(report.results[1].outcome, .failed("onRejected was not called within 1.2 s"), "\(report)")
    XCTAssertLessThan(report.results[0].duration, report.results[1].duration)
  }

  func testWithoutALimitEveryCaseIsRun() {
    let cases = Array(ConformanceSuite.cases(matching: "2.2.2.1").prefix(3))
    let report = ConformanceRun(cases: cases, deadline: 0.05, maximumHangs: nil).run(Silent())
    XCTAssertEqual(report.failures.count, cases.count)
    XCTAssertEqual(report.givenUp.count, 0)
  }

  /// What fails at once costs nothing: every case is run.
  func testOnlyHangsCount() {
    let report = ConformanceRun(
      cases: ConformanceSuite.cases(matching: "2.2.2"), deadline: 20, maximumHangs: 1
    )
    .run(StandInAdapter(.valueCopied))
    XCTAssertGreaterThan(report.failures.count, 1)
    XCTAssertEqual(report.givenUp.count, 0)
  }
}

/// A promise whose handlers never run.
private struct Silent: PromiseAdapter {
  func pending() -> Deferred<Int> {
    Deferred(promise: 0, resolve: { _ in }, fulfill: { _ in }, reject: { _ in })
  }

  func then(_ promise: Int, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Int { 0 }
}
