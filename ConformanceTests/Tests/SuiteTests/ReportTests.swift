import Foundation
import PromisesAPlusSuite
import XCTest

/// Each report format is complete, and valid in its own grammar for any characters in messages.
final class ReportTests: XCTestCase {
  /// Characters that have a meaning in some format.
  static let nasty = "5 # todo < & > \" ' \\ ]]> \u{1} \u{7F} é 🤖\nsecond line\tend"

  static let shown = nasty.replacing(#/[\u{1}\u{7F}]/#, with: "\u{FFFD}")

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

  func testOnlyACompleteRunWithoutFailuresIsAsDeclared() {
    XCTAssertTrue(good.isAsDeclared)
    XCTAssertFalse(one.isAsDeclared)
    XCTAssertFalse(MatrixReport(good.runs, interruption: "interrupted").isAsDeclared)
    XCTAssertFalse(MatrixReport([]).isAsDeclared)
    XCTAssertFalse(matrix([]).isAsDeclared)
    XCTAssertFalse(SampleResults.report([]).isAsDeclared)
    XCTAssertFalse(MatrixReport(good.runs + one.runs).isAsDeclared)
  }

  func testADeclarationAboutNothingIsNotAsDeclared() {
    let report = SampleResults.report([Self.results[0]], unknownSelectors: ["9.9"])
    let matrix = MatrixReport([RecordedRun(name: "mine", report)])
    XCTAssertFalse(matrix.isAsDeclared)
    XCTAssertEqual(matrix.verdict, "the declared deviation 9.9 names no case")
    XCTAssertTrue(TextReport().render(matrix).contains("On mine: the declared deviation 9.9 names no case\n"))
    let recorder = RunRecorder(
      name: "mine", cases: 1, deviations: [Deviation("2.2.4", "9.9", reason: "none")])
    XCTAssertEqual(recorder.snapshot().unknownSelectors, ["9.9"])
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
      Self.shown)
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
      MatrixReport([unstarted], interruption: "interrupted"),
      MatrixReport(good.runs, interruption: "interrupted"),
      MatrixReport([], interruption: "interrupted", programs: [programs]),
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
