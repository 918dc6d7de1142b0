import Foundation
import PromisesAPlusSuite
import XCTest

/// Compares the README's examples with `Template`, whose tests run them, and with `ReadmeExample.swift`.
final class ReadmeExampleTests: XCTestCase {
  func testTheExampleWithLimitsPasses() {
    XCTAssertTrue(checkWithLimits(StandInAdapter()))
    XCTAssertEqual(lastStarted.value, ConformanceSuite.cases(matching: "2.3.1").last?.id)
  }

  func testTheReadmeShowsTheExamples() throws {
    let tests = "Template/Tests/TinyPromiseTests"
    let sources = try [
      "\(tests)/TinyAdapter.swift", "\(tests)/ConformanceTests.swift", "Tests/SuiteTests/ReadmeExample.swift",
    ].map(contents)
    let block = /```swift\n(.*?)```/.dotMatchesNewlines()
    let shown = try contents("README.md").matches(of: block).map { String($0.1) }
    XCTAssertEqual(shown.count, 4)
    for example in shown { XCTAssertTrue(sources.contains { $0.contains(example) }, example) }
  }

  /// The table of capabilities has the number of cases that need each capability.
  func testTheReadmeCountsWhatNeedsACapability() throws {
    XCTAssertEqual(eachCapability.reduce(into: Capabilities()) { $0.formUnion($1.capability) }, .all)
    let lines = try contents("README.md").split(separator: "\n")
    for (capability, name, _) in eachCapability {
      let needing = ConformanceSuite.cases.filter { $0.needs.contains(capability) }
      let official = needing.count(where: \.isOfficial)
      let end = "| \(official) + \(needing.count - official) |"
      let row = try XCTUnwrap(lines.first { $0.hasPrefix("| `.\(name)` |") }, name)
      XCTAssertTrue(row.hasSuffix(end), "\(row) should end with \(end)")
    }
  }

  private func contents(_ path: String) throws -> String {
    let here = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: here.appending(path: path), encoding: .utf8)
  }
}
