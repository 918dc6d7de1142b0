import PromisesAPlusSuite
import XCTest

/// Promises as their authors ship them, wrong in one respect. The suite finds each, on one processor as on
/// two.
final class SubtleMistakeTests: XCTestCase {
  func testTheRightPromisePasses() {
    let report = ConformanceRun(deadline: 20).run(SubtleAdapter(nil)) { _ in }
    XCTAssertEqual(report.failures.map(\.description), [])
  }

  /// A race may not show in one run beside other processes.
  func testEachMistakeIsFound() {
    let run = ConformanceRun(deadline: 2, maximumFailures: 1)
    for mistake in SubtlePromise.Mistake.allCases {
      let rounds = mistake.rawValue.hasSuffix("(race)") ? 5 : 1
      var found: CaseResult?
      for _ in 0..<rounds where found == nil {
        found = run.run(SubtleAdapter(mistake)) { _ in }.failures.first
      }
      print("\(found?.testCase.id ?? "SURVIVES"): \(mistake.rawValue)")
      XCTAssertNotNil(found, mistake.rawValue)
      if rounds > 1, let found, found.testCase.isBeyond {
        XCTAssertTrue(advice([found]).contains("take one lock"), advice([found]))
      }
    }
  }

  /// Such a promise calls its handlers inside each other without end. That is a failed case, not a crash.
  func testAPromiseThatSettlesAgainInPlaceFailsItsCase() {
    var adapter = SubtleAdapter(.settlesAgain)
    adapter.context = { $0() }
    let run = ConformanceRun(cases: ConformanceSuite.cases(matching: "2.1.2.1"), deadline: 20)
    let failures = run.run(adapter) { _ in }.failures.map(\.testCase.id)
    XCTAssertTrue(failures.contains("2.1.2.1+settled-by-its-handler"), "\(failures)")
  }

  /// Several sections fail in most of these. The advice is about the reason.
  func testTheAdviceLeadsToTheMistake() {
    for (mistake, words) in [
      (.catchesItsOwnThrow, "(2.2.7): let an error that a handler throws reject the promise of its then"),
      (.forgetsInHandlers, "(2.2.6): keep a handler that a handler adds"),
      (.lateAtOnce, "(2.2.4): schedule handlers on a queue"),
      (.resolvedIsOpen, "(2.3.2): after resolve, ignore"),
      (.settlesAgain, "(2.1.2): let the first of"),
      (.errorAsValueRejects, "(2.2.2): fulfill with an error"),
    ] as [(SubtlePromise.Mistake, String)] {
      let report = ConformanceRun(deadline: 2).run(SubtleAdapter(mistake)) { _ in }
      XCTAssertTrue(advice(report.failures).hasPrefix("Mend first " + words), "\(report)")
      let sections = Set(
        report.failures.map { $0.testCase.clause.split(separator: ".").prefix(3).joined(separator: ".") })
      let shown = report.description.matches(of: /\n✗ (\d\.\d\.\d)[.\/+]/).map { String($0.1) }
      XCTAssertEqual(Set(shown), sections, "one failure of each section: \(report)")
      XCTAssertEqual(shown.count, sections.count, "\(report)")
    }
  }

  private func advice(_ failures: [CaseResult]) -> String {
    // Not all cases about thenables fail, which would be another reason.
    let other = SampleResults.result("2.3.3.1/1", clause: "2.3.3.1", .passed)
    let lines = SampleResults.report(failures + [other]).description.split(separator: "\n")
    return lines.first { $0.hasPrefix("Mend first") }.map(String.init) ?? "no advice"
  }
}
