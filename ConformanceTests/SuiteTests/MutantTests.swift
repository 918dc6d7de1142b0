import PromisesAPlusSuite
import XCTest

/// The suite against promises that are broken in one known way each: it has to notice, in the right clause.
final class MutantTests: XCTestCase {
  func testHealthyStandInPassesEveryCase() {
    let cases = ConformanceSuite.cases + ConformanceSuite.chapters
    let report = ConformanceRun(cases: cases, deadline: 20).run(StandInAdapter())
    for result in report.failures { XCTFail(line(result)) }
    XCTAssertEqual(report.results.count, cases.count)
    // What is not expressible is so in Swift itself: the stand-in can express whatever Swift can.
    for result in report.notExpressible { XCTAssertNotNil(result.testCase.inexpressible, line(result)) }
    XCTAssertEqual(report.passedCount + report.notExpressible.count, report.results.count)
    XCTAssertGreaterThan(report.passedCount, 800)
  }

  /// A defect that shows as something that never happens is found by a deadline, which is short here; every
  /// other one has to be found by what happens, whatever the load: there the deadline is far away.
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
      table.append(row(defect, killer))
      guard let killer, case .failed(let message) = killer.outcome else {
        XCTFail("survives \(defect.clause): \(defect.rawValue)")
        continue
      }
      XCTAssertEqual(message.contains(" within "), defect.hangs, "\(defect.rawValue): \(message)")
    }
    print("\(defects.count) mutants, each with the clause it breaks and the case that noticed:")
    print(table.joined(separator: "\n"))
  }

  /// The official suite would let these through: what runs beyond the port is not there for show.
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

  /// No case of the chapters is there for show.
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

  /// The cases of the chapters in which threads meet, each with a mistake that it notices.
  func testTheThreadsOfTheChaptersNotice() {
    let pairs: [(String, Defect)] = [
      ("27.2.4.1+threads", .allInOrderOfArrival), ("27.2.4.3+threads", .anyInOrderOfArrival),
      ("27.2.4.5+threads", .secondFulfilReplaces), ("cancel.down+threads", .cancelOtherReason),
    ]
    for (id, defect) in pairs {
      let run = ConformanceRun(cases: ConformanceSuite.cases(matching: id), deadline: 20)
      XCTAssertTrue(
        (0..<50).contains { _ in !run.run(StandInAdapter(defect)).failures.isEmpty },
        "\(id) does not notice: \(defect.rawValue)")
    }
  }

  private func row(_ defect: Defect, _ killer: CaseResult?) -> String {
    let clause = defect.clause.padding(toLength: 12, withPad: " ", startingAt: 0)
    let noticed = (killer?.testCase.id ?? "SURVIVES").padding(toLength: 36, withPad: " ", startingAt: 0)
    return "  \(clause)\(noticed)\(defect.rawValue)"
  }

  private func line(_ result: CaseResult) -> String {
    "\(result.testCase.id) (\(result.testCase.title)): \(result.outcome)"
  }
}
