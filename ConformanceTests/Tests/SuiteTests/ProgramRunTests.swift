import Foundation
import PromisesAPlusSuite
import XCTest

/// Runs of random programs: their reports, and the effect of the seed.
final class ProgramRunTests: XCTestCase {
  /// The guarantee of the schedules needs a bound that holds; see `Schedule`.
  func testNoProgramTakesMoreStepsThanItsBound() throws {
    var (taken, bounds) = (0, 0)
    for seed in 0..<UInt64(20_000) {
      let steps = try XCTUnwrap(ProgramRun.steps(of: seed, for: StandInAdapter()))
      XCTAssertLessThanOrEqual(steps.taken, steps.bound, "seed \(seed)")
      taken += steps.taken
      bounds += steps.bound
    }
    // The averages that `Schedule` states.
    XCTAssertEqual(bounds / 20_000, 13)
    XCTAssertEqual(taken / 20_000, 8)
  }

  func testTheSameSeedGivesTheSameReport() throws {
    for defect: Defect in [.runsInsideAdoption, .otherContextRunsHandlers, .throwDoesNotLock] {
      let reports = [1, 1, 4].map { workers in
        var run = ProgramRun(count: 3_000, seed: 20)
        run.workers = workers
        return run.run(StandInAdapter(defect))
      }
      let failures = reports.map { "\($0)" }
      XCTAssertNotNil(reports[0].failure)
      XCTAssertEqual(failures[1], failures[0])
      XCTAssertEqual(failures[2], failures[0])
      let seed = try XCTUnwrap(reports[0].failure?.seed)
      let again = ProgramRun(count: 1, seed: seed).run(StandInAdapter(defect))
      XCTAssertEqual("\(again)", failures[0])
    }
  }

  func testARunWithoutProgramsIsNoSuccess() throws {
    for run in [ProgramRun(count: 0), ProgramRun(count: -1)] {
      let report = run.run(StandInAdapter())
      XCTAssertFalse(report.isSuccess)
      XCTAssertEqual("\(report)", "no random program ran")
      let alone = MatrixReport([], programs: [report])
      XCTAssertFalse(alone.isAsDeclared)
      XCTAssertEqual(alone.verdict, "nothing ran")
      XCTAssertEqual(try Element(parsing: JUnitReport().render(alone)).attributes["failures"], "1")
      let cases = ConformanceRun(cases: ConformanceSuite.cases(matching: "2.1.2.1")).run(StandInAdapter()) {
        _ in
      }
      let both = MatrixReport([RecordedRun(name: "mine", cases)], programs: [report])
      XCTAssertFalse(both.isAsDeclared)
      XCTAssertEqual(both.verdict, "no random program ran")
    }
  }

  func testProgramsNeedNothingThatTheAdapterCannotExpress() {
    for (capability, name, _) in eachCapability {
      let adapter = GuardedAdapter(without: capability)
      let report = ProgramRun(count: 500).run(adapter)
      XCTAssertNil(report.failure, "\(name): \(report)")
      XCTAssertEqual(adapter.takeBreaches(), [], name)
    }
  }

  func testACallThatDoesNotReturnIsReported() throws {
    let report = withHangingAdapter { ProgramRun(count: 100, deadline: 0.2).run($0) }
    let failure = try XCTUnwrap(report.failure)
    XCTAssertEqual(failure.clause, "2.2")
    XCTAssertTrue(failure.message.contains("does not return"), failure.message)
    XCTAssertTrue(failure.steps.contains("p1 = pending()"), failure.steps)
  }
}
