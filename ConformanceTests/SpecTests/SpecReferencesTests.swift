import Foundation
import XCTest

/// Spec and tests name each other correctly.
final class SpecReferencesTests: XCTestCase {
  func testEveryClauseHasTestsOrIsPlanned() throws {
    let (clauses, problems) = try ProjectFiles.spec()
    XCTAssertGreaterThan(clauses.count, 100, "most of the Spec was not found")
    assertNone(problems)
  }

  func testNoNumberIsGivenTwice() throws {
    let clauses = try ProjectFiles.spec().clauses
    let byNumber = Dictionary(grouping: clauses, by: \.number)
    assertNone(
      byNumber.values.filter { $0.count > 1 }
        .map { "clause \($0[0].number) occurs twice: \($0.map(\.place.description).joined(separator: ", "))" }
    )
  }

  func testReferencesAndCitationsExist() throws {
    var sources = TestSources()
    for file in try TestSources.byFile.get() { sources.add(file.sources) }
    assertNone(sources.problems(with: try ProjectFiles.spec().clauses))
  }

  /// A test class has the name of its file, so that `--filter` with the name of a class runs the file.
  func testAClassIsInTheFileOfItsName() throws {
    for (name, sources) in try TestSources.byFile.get() {
      let file = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
      assertNone(sources.methods.keys.filter { $0 != file }.map { "\(name) has tests of \($0)" })
    }
  }
}

/// Fails once per problem, so that each is named in the test's output.
func assertNone(_ problems: [String], file: StaticString = #filePath, line: UInt = #line) {
  for problem in problems.sorted() { XCTFail(problem, file: file, line: line) }
}
