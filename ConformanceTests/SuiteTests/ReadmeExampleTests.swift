import Foundation
import PromisesAPlusSuite
import XCTest

/// The README's example is compiled, is what the README shows, and passes.
final class ReadmeExampleTests: XCTestCase {
  func testTheExamplePasses() {
    let report = ConformanceRun().run(TinyAdapter())
    XCTAssertEqual(report.results.count, ConformanceSuite.cases.count)
    XCTAssertEqual(report.notExpressible.map(\.testCase.clause), Array(repeating: "2.2.5", count: 4))
    XCTAssertTrue(report.isAsDeclared)
    for failure in report.failures { XCTFail("\(failure.testCase.id): \(failure.outcome)") }
  }

  func testTheExampleWithLimitsPasses() {
    XCTAssertTrue(checkTinyPromiseWithLimits())
    XCTAssertEqual(lastStarted.id, ConformanceSuite.cases(matching: "2.3.1").last?.id)
  }

  func testTheExampleWithProgramsPasses() {
    XCTAssertTrue(checkTinyPromiseWithPrograms())
  }

  /// Red, for the reason that the README explains.
  func testTheExampleWithCombinatorsFailsAsTheReadmeSays() {
    let report = checkTinyCombinators()
    XCTAssertEqual(report.failures.map(\.testCase.id), ["27.2.4.8+at-once"])
    XCTAssertEqual(report.counts(of: .combinators).passed, 11)
  }

  func testTheReadmeShowsTheExamples() throws {
    let source = try contents("SuiteTests/ReadmeExample.swift")
    let examples = texts(of: source, from: "// README: begin\n", to: "// README: end")
    let shown = texts(of: try contents("README.md"), from: "```swift\n", to: "```")
    XCTAssertEqual(examples.count, 4)
    XCTAssertEqual(shown, examples)
  }

  /// The table of capabilities says of how many cases each is the condition.
  func testTheReadmeCountsWhatNeedsACapability() throws {
    let rows: [(String, Capabilities)] = [
      ("thenables", .thenables), ("untypedReasons", .untypedReasons), ("untypedValues", .untypedValues),
      ("absentHandlers", .absentHandlers), ("adoption", .adoption),
      ("throwingHandlers", .throwingHandlers), ("resolve", .resolve),
    ]
    XCTAssertEqual(rows.reduce(into: Capabilities()) { $0.formUnion($1.1) }, .all)
    let lines = try contents("README.md").split(separator: "\n")
    for (name, capability) in rows {
      let needing = ConformanceSuite.cases.filter { $0.needs.contains(capability) }
      let official = needing.count(where: \.isOfficial)
      let end = "| \(official) + \(needing.count - official) |"
      let row = try XCTUnwrap(lines.first { $0.hasPrefix("| `.\(name)` |") }, name)
      XCTAssertTrue(row.hasSuffix(end), "\(row) should end with \(end)")
    }
  }

  private func contents(_ path: String) throws -> String {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: here.appending(path: path), encoding: .utf8)
  }

  private func texts(of whole: String, from begin: String, to end: String) -> [String] {
    var found: [String] = []
    var rest = whole[...]
    while let start = rest.range(of: begin)?.upperBound,
      let stop = rest.range(of: end, range: start..<rest.endIndex)
    {
      found.append(String(rest[start..<stop.lowerBound]))
      rest = rest[stop.upperBound...]
    }
    return found
  }
}
