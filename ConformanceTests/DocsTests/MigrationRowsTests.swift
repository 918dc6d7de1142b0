import Foundation
import XCTest

/// The tables in `docs/migration`. Every row has a line of code that runs in a test, or a reason for the
/// missing code. Each line of code that a test marks as a row is in a table.
///
/// The first mention of a page (`docs/migration/NAME.md`) in a source names the page of the source's rows.
/// Several sources may have rows of one page. `UPDATE_DOCS=1` writes the code into the tables.
final class MigrationRowsTests: XCTestCase {
  private struct Row: Hashable {
    let name: String
    let code: String
  }

  private static let folder = "docs/migration"

  private static func pages() throws -> [String] {
    try Examples.documents().filter { $0.hasPrefix(folder + "/") && !$0.hasSuffix("/README.md") }
  }

  func testTablesShowWhatIsRun() throws {
    var run: [String: [Row]] = [:]
    for path in try Examples.sources() where !path.hasSuffix("/MigrationRowsTests.swift") {
      let text = try Examples.text(path)
      if let page = Self.page(ofSource: text) { run[page, default: []] += Self.rows(ofSource: text) }
    }
    let pages = try Self.pages()
    XCTAssertGreaterThan(pages.count, 8)
    XCTAssertEqual(Set(run.keys).subtracting(pages), [], "rows for a page that does not exist")
    for page in pages { try check(page, run[page] ?? []) }
  }

  private func check(_ page: String, _ run: [Row]) throws {
    let text = try Examples.text(page) { Self.updated($0, from: run) }
    let shown = Self.rows(ofDocument: text)
    XCTAssertGreaterThan(shown.count, 5, page)
    for (name, rows) in Dictionary(grouping: shown, by: \.name) where rows.count > 1 {
      XCTFail("\(page): \(name) occurs twice")
    }
    for (name, rows) in Dictionary(grouping: run, by: \.name) where rows.count > 1 {
      XCTFail("\(page): \(name) is run twice")
    }
    for row in run where row.code.filter({ $0 == "{" }).count != row.code.filter({ $0 == "}" }).count {
      XCTFail("\(page): the code of \(row.name) continues on another line")
    }
    let withCode = shown.filter { !$0.code.isEmpty }
    for row in Set(withCode).subtracting(run) { XCTFail("\(page): not run: \(row.name): \(row.code)") }
    for row in Set(run).subtracting(withCode) { XCTFail("\(page): not shown: \(row.name): \(row.code)") }
    for name in Self.empty(text) { XCTFail("\(page): neither code nor a reason: \(name)") }
  }

  func testDifferencesAreFound() {
    XCTAssertEqual(
      Self.rows(ofDocument: "| RXPromise | ours | |\n|---|---|---|\n| `-get` | `try p.get()` | blocks |\n"),
      [Row(name: "-get", code: "try p.get()")])
    XCTAssertEqual(
      Self.rows(ofDocument: "| `-get` |  | blocks |\n"), [Row(name: "-get", code: "")],
      "a row without code is a row")
    XCTAssertEqual(Self.empty("| `a` |  |  |\n| `b` | |\n| `c` | | why |\n| `d` | `x` | |\n"), ["a", "b"])
    XCTAssertEqual(
      Self.rows(ofSource: "  // row: -get\n  let x = try p.get()\n"),
      [Row(name: "-get", code: "let x = try p.get()")])
    XCTAssertEqual(
      Self.page(ofSource: "/// Of `docs/migration/a.md`, not `docs/migration/b.md`"), "docs/migration/a.md")
    XCTAssertEqual(
      Self.updated("| `a` | `old` | why |\n| `b` | `old` | |\n", from: [Row(name: "a", code: "new")]),
      "| `a` | `new` | why |\n| `b` | `old` | |\n")
  }

  private static func page(ofSource text: String) -> String? {
    text.firstMatch(of: /docs\/migration\/[a-z]+\.md/).map { String($0.0) }
  }

  private static func rows(ofDocument text: String) -> [Row] {
    text.components(separatedBy: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /\| `([^`]+)` \| *(?:`([^`]+)`)? *\|.*/) else { return nil }
      return Row(name: String(match.1), code: match.2.map(String.init) ?? "")
    }
  }

  /// The names of rows that have neither code nor a reason.
  private static func empty(_ text: String) -> [String] {
    text.components(separatedBy: "\n").compactMap { line in
      line.wholeMatch(of: /\| `([^`]+)` \|[ |]*/).map { String($0.1) }
    }
  }

  private static func updated(_ text: String, from run: [Row]) -> String {
    text.components(separatedBy: "\n").map { line in
      guard let match = line.wholeMatch(of: /(\| `([^`]+)` \| )`[^`]+`( \|.*)/),
        let row = run.first(where: { $0.name == String(match.2) })
      else { return line }
      return "\(match.1)`\(row.code)`\(match.3)"
    }.joined(separator: "\n")
  }

  private static func rows(ofSource text: String) -> [Row] {
    let lines = text.components(separatedBy: "\n")
    return zip(lines, lines.dropFirst()).compactMap { line, code in
      guard let match = line.wholeMatch(of: /\s*\/\/ row: (.+)/) else { return nil }
      return Row(name: String(match.1), code: code.trimmingCharacters(in: .whitespaces))
    }
  }
}
