import Foundation
import XCTest

/// Every row of the tables in `docs/from-rxpromise.md` has a line of code that runs in `FromRXPromiseTests`,
/// and every such line stands in a row.
final class RXPromiseRowsTests: XCTestCase {
  private struct Row: Hashable {
    let name: String
    let code: String
  }

  func testTablesShowWhatIsRun() throws {
    let shown = Self.rows(ofDocument: try Examples.text("docs/from-rxpromise.md"))
    let run = Self.rows(ofSource: try Examples.text("ConformanceTests/DocsTests/FromRXPromiseTests.swift"))
    XCTAssertGreaterThan(shown.count, 40)
    XCTAssertEqual(shown.count, Set(shown.map(\.name)).count, "a name stands twice")
    for row in Set(shown).subtracting(run) { XCTFail("not run: \(row.name): \(row.code)") }
    for row in Set(run).subtracting(shown) { XCTFail("not shown: \(row.name): \(row.code)") }
  }

  func testDifferencesAreFound() {
    XCTAssertEqual(
      Self.rows(ofDocument: "| RXPromise | ours | |\n|---|---|---|\n| `-get` | `try p.get()` | blocks |\n"),
      [Row(name: "-get", code: "try p.get()")])
    XCTAssertEqual(
      Self.rows(ofDocument: "| `-get` |  | blocks |\n"), [Row(name: "-get", code: "")],
      "an empty row is a row")
    XCTAssertEqual(
      Self.rows(ofSource: "  // row: -get\n  let x = try p.get()\n"),
      [Row(name: "-get", code: "let x = try p.get()")])
  }

  private static func rows(ofDocument text: String) -> [Row] {
    text.components(separatedBy: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /\| `([^`]+)` \| (?:`([^`]+)`)? \|.*/) else { return nil }
      return Row(name: String(match.1), code: match.2.map(String.init) ?? "")
    }
  }

  private static func rows(ofSource text: String) -> [Row] {
    let lines = text.components(separatedBy: "\n")
    return zip(lines, lines.dropFirst()).compactMap { line, code in
      guard let match = line.wholeMatch(of: /\s*\/\/ row: (.+)/) else { return nil }
      return Row(name: String(match.1), code: code.trimmingCharacters(in: .whitespaces))
    }
  }
}
