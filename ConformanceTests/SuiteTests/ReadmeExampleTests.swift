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

  func testTheReadmeShowsTheExample() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: here.appending(path: "ReadmeExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
    let example = try XCTUnwrap(text(of: source, from: "// README: begin\n", to: "// README: end"))
    let shown = try XCTUnwrap(text(of: readme, from: "```swift\n", to: "```"))
    XCTAssertEqual(shown, example)
  }

  private func text(of whole: String, from begin: String, to end: String) -> String? {
    guard let start = whole.range(of: begin)?.upperBound,
      let stop = whole.range(of: end, range: start..<whole.endIndex)?.lowerBound
    else { return nil }
    return String(whole[start..<stop])
  }
}
