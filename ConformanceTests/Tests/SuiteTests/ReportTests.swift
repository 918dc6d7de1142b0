import Foundation
import PromisesAPlusSuite
import XCTest

/// Each report format is complete, and valid in its own grammar for any characters in messages.
final class ReportTests: XCTestCase {
  /// Characters that have a meaning in some format.
  static let nasty = "5 # todo < & > \" ' \\ ]]> \u{1} \u{7F} é 🤖\nsecond line\tend"

  static let results = [
    SampleResults.result(
      "2.1.2.1/1", clause: "2.1.2.1", title: "holds # not a directive", number: 1, .passed),
    SampleResults.result(
      "2.1.2.1/2", clause: "2.1.2.1", title: "breaks <script>1</script>", number: 2, .failed(nasty)),
    SampleResults.result("2.2.4/1", clause: "2.2.4", number: 53, .deviated("on the stack")),
    SampleResults.result("2.2.4/2", clause: "2.2.4", number: 54, .deviated("on the stack")),
    SampleResults.result("2.2.4/4", clause: "2.2.4", number: 56, .deviated("on the stack")),
    SampleResults.result(
      "2.2.5/1", clause: "2.2.5", number: 69, .notExpressible("no receiver"), inexpressible: "no receiver"),
    SampleResults.result("2.3.4+more", clause: "2.3.4", .notExpressible("needs foreign thenables")),
  ]

  private let one = matrix(ReportTests.results)
  private let good = matrix([ReportTests.results[0], ReportTests.results[2]])

  // MARK: Contents of a report

  func testCounts() {
    XCTAssertEqual(one.counts.words, "1 passed, 1 failed, 3 deviated as declared, 2 not expressible")
    XCTAssertEqual(one.official.words, "1 passed, 1 failed, 3 deviated as declared, 1 not expressible")
    XCTAssertEqual(one.beyond.words, "0 passed, 1 not expressible")
    XCTAssertEqual(one.beyond.total, 1)
    XCTAssertEqual(one.census.official, 6)
    XCTAssertEqual(one.census.ported, 5)
    XCTAssertEqual(one.census.beyond, 1)
  }

  func testOnlyACompleteRunWithoutFailuresIsAsDeclared() {
    XCTAssertTrue(good.isAsDeclared)
    XCTAssertFalse(one.isAsDeclared)
    XCTAssertFalse(MatrixReport(good.runs, interrupted: true).isAsDeclared)
    XCTAssertFalse(MatrixReport([]).isAsDeclared)
    XCTAssertFalse(matrix([]).isAsDeclared)
    XCTAssertFalse(SampleResults.report([]).isAsDeclared)
    XCTAssertFalse(MatrixReport(good.runs + one.runs).isAsDeclared)
  }

  func testADeclarationAboutNothingIsNotAsDeclared() {
    let report = SampleResults.report([Self.results[0]], unknownSelectors: ["9.9"])
    let matrix = MatrixReport([RecordedRun(name: "mine", report)])
    XCTAssertFalse(matrix.isAsDeclared)
    XCTAssertEqual(matrix.verdict, "a declared deviation names no case")
    XCTAssertTrue(TextReport().render(matrix).contains("Deviations of mine that name no case: 9.9\n"))
    let recorder = RunRecorder(
      name: "mine", cases: 1, deviations: [Deviation("2.2.4", "9.9", reason: "none")])
    XCTAssertEqual(recorder.snapshot().unknownSelectors, ["9.9"])
  }

  func testADeclarationThatCannotOccurIsNotAsDeclared() throws {
    let report = SampleResults.report([Self.results[5]], impossibleSelectors: ["2.2.5"])
    XCTAssertFalse(report.isAsDeclared)
    let matrix = MatrixReport([RecordedRun(name: "mine", report)])
    XCTAssertFalse(matrix.isAsDeclared)
    XCTAssertEqual(matrix.verdict, "a declared deviation cannot occur")
    let text = TextReport().render(matrix)
    XCTAssertTrue(
      text.contains("Deviations of mine that name only cases which cannot be expressed: 2.2.5\n"), text)
    let contexts = try XCTUnwrap(json(matrix)["contexts"] as? [[String: Any]])
    XCTAssertEqual(contexts[0]["impossibleSelectors"] as? [String], ["2.2.5"])
    XCTAssertEqual(contexts[0]["asDeclared"] as? Bool, false)
  }

  func testARecorderKeepsTheWorstOfAllRounds() {
    let recorder = RunRecorder(name: "mine", cases: 1, rounds: 3)
    let outcomes: [CaseOutcome] = [.passed, .failed("lost"), .passed]
    for outcome in outcomes {
      XCTAssertFalse(recorder.snapshot().isComplete)
      recorder.record(.finished(SampleResults.result("a", clause: "2.1", outcome)))
    }
    let run = recorder.snapshot()
    XCTAssertTrue(run.isComplete)
    XCTAssertEqual(run.cases.map(\.message), ["in 1 of 3 rounds: lost"])
    XCTAssertFalse(run.isAsDeclared)
  }

  /// With `.max` rounds, the number of results overflows, and no round is the last.
  func testARecorderKnowsWhatIsRunning() {
    let recorder = RunRecorder(name: "mine", cases: 2, rounds: .max)
    let result = SampleResults.result("a", clause: "2.1", .passed)
    XCTAssertNil(recorder.snapshot().running)
    recorder.record(.started(result.testCase))
    XCTAssertEqual(recorder.snapshot().running?.id, "a")
    recorder.record(.finished(result))
    XCTAssertNil(recorder.snapshot().running)
    XCTAssertFalse(recorder.snapshot().isComplete)
  }

  // MARK: JSON

  func testJSONIsValidAndComplete() throws {
    let root = try json(one)
    XCTAssertEqual(root["asDeclared"] as? Bool, false)
    XCTAssertEqual(root["interrupted"] as? Bool, false)
    XCTAssertEqual((root["counts"] as? [String: Int])?["deviated"], 3)
    XCTAssertEqual((root["officialCounts"] as? [String: Int])?["notExpressible"], 1)
    XCTAssertEqual((root["beyondCounts"] as? [String: Int])?["notExpressible"], 1)
    let official = try XCTUnwrap(root["official"] as? [String: Any])
    XCTAssertEqual(official["total"] as? Int, 872)
    XCTAssertEqual((official["inexpressible"] as? [[String: String]])?.map { $0["id"] }, ["2.2.5/1"])
    let contexts = try XCTUnwrap(root["contexts"] as? [[String: Any]])
    XCTAssertEqual(contexts.map { $0["name"] as? String }, ["mine"])
    let cases = try XCTUnwrap(contexts[0]["cases"] as? [[String: Any]])
    XCTAssertEqual(cases.map { $0["id"] as? String }, Self.results.map(\.testCase.id))
    XCTAssertEqual(
      cases.map { $0["outcome"] as? String },
      ["passed", "failed", "deviated", "deviated", "deviated", "notExpressible", "notExpressible"])
    XCTAssertEqual(cases[1]["message"] as? String, Self.nasty)
    XCTAssertNil(cases[0]["message"])
  }

  // MARK: TAP

  func testTAPCountsAndDirectives() {
    let lines = TAPReport().render(one).split(separator: "\n").map(String.init)
    XCTAssertEqual(lines[0], "TAP version 13")
    XCTAssertEqual(lines[1], "1..7")
    let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
    XCTAssertEqual(points.count, 7)
    XCTAssertTrue(lines.contains("# beyond them: 0 passed, 1 not expressible"))
    XCTAssertEqual(points[0], "ok 1 - mine: 2.1.2.1/1 holds \\# not a directive")
    XCTAssertEqual(points[1], "not ok 2 - mine: 2.1.2.1/2 breaks <script>1</script>")
    XCTAssertEqual(points[2], "not ok 3 - mine: 2.2.4/1 a title # todo on the stack")
    XCTAssertEqual(points[5], "ok 6 - mine: 2.2.5/1 a title # SKIP no receiver")
    let message = lines.first { $0.hasPrefix("  message: ") }
    XCTAssertEqual(
      message,
      #"  message: "5 # todo < & > \" ' \\ ]]> \x01 \x7f é 🤖\nsecond line\tend""#)
  }

  func testInterruptedTAPHasNoPlanAndBailsOut() {
    let lines = TAPReport().render(MatrixReport(one.runs, interrupted: true)).split(separator: "\n")
    XCTAssertFalse(lines.contains { $0.hasPrefix("1..") })
    XCTAssertTrue(lines.contains("Bail out! interrupted"))
  }

  // MARK: JUnit

  func testJUnitIsWellFormedAndCounts() throws {
    let document = try Element(parsing: JUnitReport().render(one))
    XCTAssertEqual(document.name, "testsuites")
    XCTAssertEqual(document.attributes["tests"], "7")
    XCTAssertEqual(document.attributes["failures"], "1")
    XCTAssertEqual(document.attributes["skipped"], "5")
    XCTAssertEqual(document.attributes["errors"], "0")
    let properties = document.children[0].children[0].children
    XCTAssertEqual(
      properties.map { $0.attributes["value"] },
      ["1 passed, 1 failed, 3 deviated as declared, 1 not expressible", "0 passed, 1 not expressible"])
    let cases = Array(document.children[0].children.dropFirst())
    XCTAssertEqual(cases[1].attributes["name"], "2.1.2.1/2 breaks <script>1</script>")
    XCTAssertEqual(cases[1].attributes["classname"], "mine.2.1.2.1")
    XCTAssertEqual(
      cases.map { $0.children.map(\.name) },
      [[], ["failure"], ["skipped"], ["skipped"], ["skipped"], ["skipped"], ["skipped"]])
    XCTAssertEqual(
      cases[1].children[0].attributes["message"],
      Self.nasty.replacingOccurrences(of: "\u{1}", with: "\u{FFFD}"))
  }

  func testARunThatBrokeOffIsAnErrorInJUnit() throws {
    let recorder = RunRecorder(name: "mine", cases: 2)
    recorder.record(.finished(Self.results[0]))
    recorder.record(.started(Self.results[1].testCase))
    let document = try Element(parsing: JUnitReport().render(MatrixReport([recorder.snapshot()])))
    XCTAssertEqual(document.attributes["errors"], "1")
    XCTAssertEqual(document.attributes["tests"], "2")
    assertSums(document)
    XCTAssertEqual(document.children[0].attributes["tests"], "\(document.children[0].children.count - 1)")
    XCTAssertEqual(document.children[0].children.last?.children.map(\.name), ["error"])
  }

  /// The interrupt is the only error. A context that has not started, or programs that have held, add none.
  func testAnInterruptIsAnErrorInJUnit() throws {
    let unstarted = RunRecorder(name: "mine", cases: 2).snapshot()
    let programs = ProgramRun(count: 20).run(StandInAdapter())
    for report in [
      MatrixReport([unstarted], interrupted: true), MatrixReport(good.runs, interrupted: true),
      MatrixReport([], interrupted: true, programs: programs),
    ] {
      let document = try Element(parsing: JUnitReport().render(report))
      XCTAssertEqual(document.all("error").map { $0.attributes["message"] }, ["interrupted"])
      XCTAssertEqual(document.attributes["failures"], "0")
      assertSums(document)
    }
  }

  private func assertSums(_ document: Element) {
    for name in ["tests", "failures", "errors", "skipped"] {
      let parts = document.children.compactMap { Int($0.attributes[name] ?? "") }
      XCTAssertEqual(document.attributes[name], "\(parts.reduce(0, +))", name)
    }
  }
}
