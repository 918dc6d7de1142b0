import PromisesAPlusSuite
import XCTest

/// The human-readable report.
final class TextReportTests: XCTestCase {
  private static let healthy = run("healthy", "all is well", [.passed, .passed, .passed, .passed])
  private static let ill = run(
    "ill", "",
    [
      .failed("said 1\nnot 2"), .notExpressible("needs more"), .deviated("on the stack"),
      .deviated("on the stack"),
    ])

  /// Returns a run of four cases with these outcomes, and of one case that Swift cannot express.
  private static func run(_ name: String, _ summary: String, _ outcomes: [CaseOutcome]) -> RecordedRun {
    let results = [
      SampleResults.result("2.1.2.1/1", clause: "2.1.2.1", title: "first", number: 1, outcomes[0]),
      SampleResults.result("2.1.2.1+more", clause: "2.1.2.1", title: "second", outcomes[1]),
      SampleResults.result("2.2.4/1", clause: "2.2.4", title: "third", number: 53, outcomes[2]),
      SampleResults.result("2.2.4/2", clause: "2.2.4", title: "fourth", number: 54, outcomes[3]),
      ReportTests.results[5],
    ]
    return RecordedRun(name: name, summary: summary, SampleResults.report(results))
  }

  private func render(_ runs: RecordedRun..., color: Bool = false, verbose: Bool = false) -> [String] {
    TextReport(color: color, verbose: verbose).render(MatrixReport(runs, duration: 1.234))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func testTheTreeHasAColumnPerSubject() {
    let lines = render(Self.healthy, Self.ill)
    XCTAssertTrue(lines.contains("  1  healthy  all is well"))
    XCTAssertTrue(lines.contains("  2  ill"))
    XCTAssertTrue(lines.contains("  ✓  ✗     2.1.2.1 Fulfilled is final (1 + 1 beyond)"))
    XCTAssertTrue(lines.contains("  ✓  ~   2.2 The then method (3)"))
    XCTAssertTrue(lines.contains("  ✓  ~     2.2.4 Handlers run on a stack without user code (2)"))
    XCTAssertTrue(lines.contains("  –  –     2.2.5 Handlers are plain functions (1)"))
  }

  func testWhatNeedsWordsGetsThem() {
    let text = render(Self.healthy, Self.ill).joined(separator: "\n")
    let expected = [
      "Not as declared on ill:\n  ✗ 2.1.2.1/1 (official case 1) first\n      said 1\n      not 2\n",
      "Declared deviations of ill:\n  2 cases: 2.2.4/1…2\n      on the stack\n",
      "Not expressible in Swift:\n  1 case: 2.2.5/1\n      no receiver\n",
      "Not expressible in the types of ill:\n  1 case: 2.1.2.1+more\n      needs more\n",
      "4 of the 872 official cases: 3 ported, 1 not expressible in Swift\n1 beyond them\n",
      "10 results on 2 contexts in 1.23 s: 1 result is not as declared\n",
    ]
    for part in expected { XCTAssertTrue(text.contains(part), "missing: \(part) in:\n\(text)") }
    XCTAssertFalse(text.contains("of healthy"))
  }

  /// `print(report)` shows one failure of each section. The first is that of the advice.
  func testTheFailureToMendFirstIsShown() {
    let failures = [("2.1.2.1+more", nil), ("2.2.4/1", 53), ("2.2.4/2", 54)].map { id, number in
      SampleResults.result(
        id, clause: String(id.prefix { $0 != "+" && $0 != "/" }), title: "t", number: number, .failed("why"))
    }
    let lines = SampleResults.report(failures).description.split(separator: "\n")
    XCTAssertEqual(
      lines.filter { $0.prefixMatch(of: /✗ [12]|Mend/) != nil }.map { $0.prefix(19) },
      ["✗ 2.2.4/1 t", "✗ 2.1.2.1+more (bey", "✗ 1 more", "Mend first (2.2.4):"])
  }

  func testABrokenOffRunNamesTheCaseInFlight() {
    let recorder = RunRecorder(name: "slow", cases: 2)
    recorder.record(.started(Self.healthy.cases[0].testCase))
    let text = TextReport().render(MatrixReport([recorder.snapshot()], interruption: "interrupted"))
    XCTAssertTrue(text.contains("Incomplete on slow: 0 cases have ended, during 2.1.2.1/1 first\n"), text)
    XCTAssertTrue(text.hasSuffix(": interrupted\n"), text)
  }
}
