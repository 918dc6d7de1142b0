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
    let table = CoverageTable(cases: ConformanceSuite.cases).markdown
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

/// The numbers of the suite's cases for each clause.
private struct CoverageTable {
  let cases: [ConformanceCase]

  private static let heading = """
    | clause | official | ported | not expressible | own |
    |---|---:|---:|---:|---:|

    """

  var markdown: String {
    let byClause = Dictionary(grouping: cases, by: \.clause)
    let clauses = byClause.keys.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    let rows = clauses.map { Self.row($0, byClause[$0] ?? []) } + [Self.row("all", cases)]
    return Self.heading + rows.joined() + reasons
  }

  private static func row(_ name: String, _ cases: [ConformanceCase]) -> String {
    let official = cases.count(where: \.isOfficial)
    let missing = cases.count { $0.isOfficial && $0.inexpressible != nil }
    return "| \(name) | \(official) | \(official - missing) | \(missing) | \(cases.count - official) |\n"
  }

  /// The reasons for missing cases. Cases with the same reason share an entry.
  private var reasons: String {
    let missing = cases.filter { $0.inexpressible != nil }
    guard !missing.isEmpty else { return "\nEvery official case is ported.\n" }
    var order: [String] = []
    var ids: [String: [String]] = [:]
    for each in missing {
      let reason = each.inexpressible ?? ""
      if ids[reason] == nil { order.append(reason) }
      ids[reason, default: []].append(each.id)
    }
    let lines = order.map { "- \(ids[$0]?.joined(separator: ", ") ?? ""): \($0)\n" }
    return "\nNot expressible:\n\n" + lines.joined()
  }
}
