import PromisesAPlusSuite
import XCTest

/// Runs the suite on promises that are each broken in one known way. The suite must detect each defect in the
/// right clause.
final class MutantTests: XCTestCase {
  func testHealthyStandInPassesEveryCase() {
    let cases = ConformanceSuite.cases + ConformanceSuite.chapters
    let report = ConformanceRun(cases: cases, deadline: 20).run(StandInAdapter())
    for result in report.failures { XCTFail(line(result)) }
    XCTAssertEqual(report.results.count, cases.count)
    // Only cases that Swift itself cannot express are inexpressible, because the stand-in has every
    // capability.
    for result in report.notExpressible { XCTAssertNotNil(result.testCase.inexpressible, line(result)) }
    XCTAssertEqual(report.passedCount + report.notExpressible.count, report.results.count)
    XCTAssertGreaterThan(report.passedCount, 800)
  }

  /// A short deadline finds the defects that hang. The deadline of all other defects is long, because they
  /// must fail before it.
  func testEachMutantFailsTheClauseItBreaks() {
    var table: [String] = []
    let defects = Defect.allCases.filter { !$0.needsPrograms }
    for defect in defects {
      let short = defect.needsLuck ? 0.1 : 0.05
      let run = ConformanceRun(
        cases: ConformanceSuite.cases(matching: defect.clause), deadline: defect.hangs ? short : 20,
        maximumFailures: 1)
      var killer: CaseResult?
      for _ in 0..<(defect.needsLuck ? 50 : 1) where killer == nil {
        killer = run.run(StandInAdapter(defect)).failures.first
      }
      let noticed = (killer?.testCase.id ?? "SURVIVES").padding(toLength: 36, withPad: " ", startingAt: 0)
      table.append("  \(noticed)\(defect.rawValue)")
      guard let killer, case .failed(let message) = killer.outcome else {
        XCTFail("survives \(defect.clause): \(defect.rawValue)")
        continue
      }
      XCTAssertEqual(message.contains(" within "), defect.hangs, "\(defect.rawValue): \(message)")
    }
    print("\(defects.count) mutants, each with the clause it breaks and the case that noticed:")
    print(table.joined(separator: "\n"))
  }

  /// The official suite misses these defects. Only the additional cases find them.
  func testSomeMutantsPassTheOfficialCases() {
    let unseen: [Defect] = [
      .secondFulfilReplaces, .secondRejectReplaces, .rejectAfterFulfil, .fulfilAfterReject,
      .rejectedReasonAdopted, .runsInsideAdoption, .longCycleIgnored, .ringOfThreeIgnored,
      .adoptionDoesNotLock, .cycleThroughThenable,
    ]
    for defect in unseen {
      let report = ConformanceRun(cases: ConformanceSuite.official, deadline: 20)
        .run(StandInAdapter(defect))
      XCTAssertTrue(report.isAsDeclared, "\(defect.rawValue): \(report.failures.map(\.testCase.id))")
    }
  }

  func testEachCaseOfTheChaptersIsFailedByAMutant() {
    var unseen = ConformanceSuite.chapters.filter { !$0.id.hasSuffix("+threads") }
    // Mutants that hang come last, because each of their failures takes a whole deadline.
    for hangs in [false, true] {
      for defect in Defect.allCases where defect.hangs == hangs && !defect.needsLuck && !defect.needsPrograms
      {
        let run = ConformanceRun(cases: unseen, deadline: hangs ? 0.1 : 5, maximumHangs: nil)
        let failed = Set(run.run(StandInAdapter(defect)) { _ in }.failures.map(\.testCase.id))
        unseen.removeAll { failed.contains($0.id) }
      }
    }
    XCTAssertEqual(unseen.map(\.id), [])
  }

  /// Each case about threads must make threads meet, because these mutants pass the other cases of their
  /// clauses. A few of a case's hundred rounds suffice, because a mutant waits for the other thread at its
  /// race.
  func testEachCaseAboutThreadsIsFailedByAMutantThatLosesARace() {
    let racing = Defect.allCases.filter { $0.isOfAChapter && $0.needsLuck }
    for defect in racing {
      let others = ConformanceSuite.cases(matching: defect.clause).filter { !$0.id.hasSuffix("+threads") }
      let report = ConformanceRun(cases: others, deadline: 20).run(StandInAdapter(defect)) { _ in }
      XCTAssertEqual(report.failures.map(\.testCase.id), [], defect.rawValue)
    }
    var unseen = ConformanceSuite.chapters.filter { $0.id.hasSuffix("+threads") }
    for _ in 0..<10 where !unseen.isEmpty {
      for defect in racing {
        let run = ConformanceRun(cases: unseen.filter { $0.matches(defect.clause) }, deadline: 20)
        let failed = Set(run.run(StandInAdapter(defect)) { _ in }.failures.map(\.testCase.id))
        unseen.removeAll { failed.contains($0.id) }
      }
    }
    XCTAssertEqual(unseen.map(\.id), [])
  }

  private func line(_ result: CaseResult) -> String {
    "\(result.testCase.id) (\(result.testCase.title)): \(result.outcome)"
  }
}
