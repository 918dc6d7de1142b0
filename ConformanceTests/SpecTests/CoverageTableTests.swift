import Foundation
import PromisesAPlusSuite
import XCTest

/// The suite's data and the Spec agree on the clauses, and on the numbers in the table of `Spec/README.md`.
final class CoverageTableTests: XCTestCase {
  func testEveryClauseOfTheSuiteIsInTheSpec() throws {
    let named = Set(try ProjectFiles.spec().clauses.map(\.number))
    assertNone(
      Set(ConformanceSuite.cases.map(\.clause)).subtracting(named)
        .map { "the suite has cases of clause \($0), which the Spec does not have" })
  }

  func testEverySuiteReferenceHasCases() throws {
    let counted = Set(ConformanceSuite.cases.filter { $0.inexpressible == nil }.map(\.clause))
    for clause in try ProjectFiles.spec().clauses {
      for case .suite(let named) in clause.references where !counted.contains(named) {
        XCTFail("\(clause.place): clause \(clause.number) names suite \(named), which runs no case")
      }
      if clause.standing == .inexpressible && counted.contains(clause.number) {
        XCTFail("\(clause.place): clause \(clause.number) can be expressed: the suite has cases of it")
      }
    }
  }

  func testTableMatchesTheSuite() throws {
    let path = "Spec/README.md"
    let text = try ProjectFiles.text(path)
    let marks = ("<!-- coverage: begin -->\n", "<!-- coverage: end -->")
    let begin = try XCTUnwrap(text.range(of: marks.0)?.upperBound, "no begin mark in \(path)")
    let end = try XCTUnwrap(text.range(of: marks.1)?.lowerBound, "no end mark in \(path)")
    let table = coverageTable()
    if ProcessInfo.processInfo.environment["UPDATE_SPEC"] != nil {
      let updated = text.replacingCharacters(in: begin..<end, with: table)
      try updated.write(to: ProjectFiles.root.appending(path: path), atomically: true, encoding: .utf8)
    } else {
      XCTAssertEqual(
        String(text[begin..<end]), table,
        "\(path) does not match the suite's data; the file explains how to update its table")
    }
  }
}

/// The numbers of the suite's cases for each clause, and the reasons for missing cases.
private func coverageTable() -> String {
  func line(_ name: String, _ rows: [PortTable.Row]) -> String {
    let counts = [\PortTable.Row.official, \.ported, \.inexpressible, \.beyond].map { count in
      "\(rows.reduce(0) { $0 + $1[keyPath: count] })"
    }
    return "| \(name) | \(counts.joined(separator: " | ")) |\n"
  }
  let heading = "| clause | official | ported | not expressible | own |\n|---|---:|---:|---:|---:|\n"
  let rows = PortTable.rows
  let missing = Dictionary(grouping: ConformanceSuite.cases.filter { $0.inexpressible != nil }) {
    $0.inexpressible ?? ""
  }
  let reasons = missing.map { "- \($1.map(\.id).joined(separator: ", ")): \($0)\n" }.sorted()
  return heading + rows.map { line($0.clause, [$0]) }.joined() + line("all", rows)
    + (reasons.isEmpty ? "\nEvery official case is ported.\n" : "\nNot expressible:\n\n" + reasons.joined())
}
