import Foundation
import PromisesAPlusSuite
import XCTest

/// Runs of random programs: their reports, and the effect of the seed.
final class ProgramRunTests: XCTestCase {
  func testARightPromiseHolds() {
    let report = ProgramRun(count: 5_000).run(StandInAdapter())
    XCTAssertNil(report.failure, "\(report)")
    XCTAssertTrue(report.isSuccess)
    XCTAssertEqual(report.programs, 5_000)
    XCTAssertTrue("\(report)".hasPrefix("5000 random programs hold ("), "\(report)")
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

  func testShardsShareThePrograms() throws {
    let whole = try XCTUnwrap(ProgramRun(count: 3_000).run(StandInAdapter(.runsInsideAdoption)).failure)
    var (programs, seeds): (Int, [UInt64]) = (0, [])
    for index in 1...3 {
      let shard = try XCTUnwrap(ProgramRun.Shard(index, of: 3))
      programs += ProgramRun(count: 100, shard: shard).run(StandInAdapter()).programs
      let report = ProgramRun(count: 3_000, shard: shard).run(StandInAdapter(.runsInsideAdoption))
      if let failure = report.failure {
        XCTAssertEqual(Int(failure.seed % 3), index - 1)
        seeds.append(failure.seed)
      }
    }
    XCTAssertEqual(programs, 100)
    XCTAssertEqual(seeds.min(), whole.seed)
    XCTAssertNil(ProgramRun.Shard(0, of: 3))
    XCTAssertNil(ProgramRun.Shard(4, of: 3))
    // Only four seeds are left at the end of the range.
    XCTAssertEqual(ProgramRun(count: 10, seed: .max - 4).run(StandInAdapter()).programs, 4)
  }

  func testAnAdapterWithoutContextsIsReportedAsSuch() {
    let report = ProgramRun(count: 10).run(Silent())
    XCTAssertEqual(report.programs, 0)
    XCTAssertNil(report.failure)
    XCTAssertNotNil(report.notExpressible)
    XCTAssertTrue("\(report)".contains("not expressible"), "\(report)")
  }

  func testProgramsNeedNothingThatTheAdapterCannotExpress() {
    for (capability, name, _) in eachCapability {
      let adapter = GuardedAdapter(without: capability)
      let report = ProgramRun(count: 500).run(adapter)
      XCTAssertNil(report.failure, "\(name): \(report)")
      XCTAssertEqual(adapter.breaches.take(), [], name)
    }
  }

  func testACallThatDoesNotReturnIsReported() throws {
    let gate = DispatchSemaphore(value: 0)
    defer { for _ in 0..<100 { gate.signal() } }
    let report = ProgramRun(count: 100, deadline: 0.2).run(HangingAdapter(gate: gate))
    let failure = try XCTUnwrap(report.failure)
    XCTAssertEqual(failure.clause, "2.2")
    XCTAssertTrue(failure.message.contains("does not return"), failure.message)
    XCTAssertTrue(failure.steps.contains("p1 = pending()"), failure.steps)
  }
}
