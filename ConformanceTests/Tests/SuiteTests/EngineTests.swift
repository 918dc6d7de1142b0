import Foundation
import PromisesAPlusSuite
import XCTest

/// The engine's reports about hangs, limits and progress.
final class EngineTests: XCTestCase {
  func testACallThatDoesNotReturnFailsItsCaseAndTheRunContinues() {
    let cases = Array(ConformanceSuite.cases(matching: "2.2.2.1").prefix(3))
    var run = ConformanceRun(cases: cases, deadline: 0.1)
    run.moment = 0.05
    let report = withHangingAdapter { run.run($0) }
    XCTAssertEqual(report.failures.map(\.testCase.id), cases.map(\.id))
    for result in report.failures {
      guard case .failed(let message) = result.outcome else { continue }
      XCTAssertTrue(message.contains("within") || message.contains("in time"), message)
    }
  }

  func testADeadlineMayBeAnyNumberOrNone() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1")
    for deadline: Double in [1e10, .greatestFiniteMagnitude, .infinity, .nan] {
      let report = ConformanceRun(cases: cases, deadline: deadline).run(StandInAdapter()) { _ in }
      XCTAssertEqual(report.passedCount, cases.count, "\(deadline)")
      for threads in [1, 2] {
        let programs = ProgramRun(count: 5, threads: threads, deadline: deadline).run(StandInAdapter())
        XCTAssertEqual(programs.isSuccess ? programs.programs : -1, 5, "\(deadline): \(programs)")
      }
    }
  }

  /// An immediate failure is not a hang. Without a limit on failures, every case runs.
  func testStopsAfterTheGivenNumberOfFailures() throws {
    let cases = ConformanceSuite.cases(matching: "2.2.2")
    var run = ConformanceRun(cases: cases, deadline: 20, maximumHangs: 1)
    let all = run.run(StandInAdapter(.valueCopied))
    XCTAssertGreaterThan(all.failures.count, 1)
    XCTAssertEqual(all.givenUp.count, 0)
    run.maximumFailures = 1
    let first = run.run(StandInAdapter(.valueCopied))
    XCTAssertEqual(first.failures.map(\.testCase.id), all.failures.prefix(1).map(\.testCase.id))
    XCTAssertEqual(first.results.last?.testCase.id, first.failures.first?.testCase.id)
    XCTAssertLessThan(first.results.count, all.results.count)
  }
}
