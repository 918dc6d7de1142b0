import PromisesAPlusSuite
import XCTest

/// Runs on a promise that lets hundreds of cases wait until the deadline.
final class PatienceTests: XCTestCase {
  /// Returns the report on a promise whose handlers never run. The shortest limit is a tenth of the default.
  private func report(
    _ cases: [ConformanceCase], deviating: [Deviation] = [], deadline: Double = 0.05, maximumHangs: Int?
  ) -> ConformanceReport {
    var run = ConformanceRun(
      cases: cases, deviations: deviating, deadline: deadline, maximumHangs: maximumHangs)
    run.moment = 0.05
    return run.run(Silent()) { _ in }
  }

  /// The time that each failing case waited, from its message.
  private func waits(_ report: ConformanceReport) -> [Substring] {
    report.failures.compactMap { failure in
      guard case .failed(let message) = failure.outcome else { return nil }
      return message.firstMatch(of: /within (.*) s/)?.1
    }
  }

  /// A promise that treats thenables as values. Only the deadline and the shortest limit differ from the
  /// defaults. They are long enough for the other cases on a busy machine.
  func testAPromiseWithoutThenablesIsReportedInSeconds() {
    var run = ConformanceRun()
    XCTAssertEqual(run.deadline, 5)
    XCTAssertEqual(run.moment, 0.5)
    run.deadline = 2
    run.moment = 0.6
    let report = run.run(StandInAdapter(.thenableIsAValue))
    // The first wait lasts the whole deadline, and two further waits last the shortest limit.
    XCTAssertEqual(waits(report), ["2.0", "0.6", "0.6"], "\(report)")
    XCTAssertTrue(report.description.contains("leaves `.thenables` out of `capabilities`"))
    XCTAssertEqual(report.results.count, ConformanceSuite.cases.count)
    XCTAssertFalse(report.isAsDeclared)
    XCTAssertTrue(report.failures.allSatisfy { $0.testCase.clause.hasPrefix("2.3.") })
    XCTAssertGreaterThan(report.official.passed, 200)
    XCTAssertLessThanOrEqual(
      report.description.split(separator: "\n", omittingEmptySubsequences: false).count, 24)
  }

  /// The test does not depend on a clock, because it counts the waits.
  func testASectionIsGivenUpAfterItsHangs() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1") + ConformanceSuite.cases(matching: "2.2.2.1")
    let report = report(cases, maximumHangs: 2)
    let run = report.results.filter { !$0.isGivenUp }
    XCTAssertEqual(run.map(\.testCase.clause), ["2.1.2.1", "2.1.2.1", "2.2.2.1", "2.2.2.1"])
    XCTAssertEqual(report.failures.count, cases.count)
    XCTAssertEqual(report.givenUp.count, cases.count - 4)
    XCTAssertEqual(
      report.givenUp.first?.outcome,
      .failed("given up: 2 other cases of 2.1.2 waited to the deadline in vain"))
  }

  func testWhatIsGivenUpDeviatesWhereThatIsDeclared() {
    let declared = Deviation("2.2.2.1", reason: "is silent")
    let report = report(
      ConformanceSuite.cases(matching: "2.2.2.1"), deviating: [declared], maximumHangs: 1)
    XCTAssertTrue(report.isAsDeclared)
    XCTAssertEqual(report.givenUp.count, report.results.count - 1)
  }
}
