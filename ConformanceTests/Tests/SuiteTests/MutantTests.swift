import PromisesAPlusSuite
import XCTest

/// Runs the suite on promises that are each broken in one known way. The suite must detect each defect in the
/// right clause.
final class MutantTests: XCTestCase {
  func testHealthyStandInPassesEveryCase() {
    let report = ConformanceRun(deadline: 20).run(StandInAdapter())
    for result in report.failures { XCTFail(line(result)) }
    XCTAssertEqual(report.results.count, ConformanceSuite.cases.count)
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

  private func line(_ result: CaseResult) -> String {
    "\(result.testCase.id) (\(result.testCase.title)): \(result.outcome)"
  }
}
