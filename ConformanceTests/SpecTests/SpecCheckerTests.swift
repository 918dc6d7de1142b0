import XCTest

/// Tests of the checker itself.
final class SpecCheckerTests: XCTestCase {
  // The mark is interpolated, so that the checker does not mistake it for a citation of this file.
  private let source = """
    import XCTest
    final class GoodTests: XCTestCase {
      // \("Spec"): B1.1
      func testOne() throws {
      }
      @MainActor func testTwo() async {
      }
    }
    """

  private func problems(spec: String, source: String) -> [String] {
    let file = SpecFile(name: "B.md", text: spec)
    var sources = TestSources()
    sources.read(name: "GoodTests.swift", text: source)
    return file.problems + sources.problems(with: file.clauses)
  }

  func testSoundTextsHaveNoProblems() {
    let spec = """
      # B
      ### B1.1 One
      Words.

      Tests: GoodTests.testOne,
      GoodTests.testTwo, suite 2.2.4

      ### B1.2 Two
      Planned: some day.
      """
    XCTAssertEqual(problems(spec: spec, source: source), [])
    let clauses = SpecFile(name: "B.md", text: spec).clauses
    XCTAssertEqual(clauses.map(\.number), ["B1.1", "B1.2"])
    XCTAssertEqual(clauses[0].references.count, 3)
    XCTAssertEqual(clauses.map(\.standing), [.tested, .planned])
  }

  func testClauseWithoutTestIsFound() {
    let found = problems(spec: "### B1.1 One\nWords.\n", source: source)
    XCTAssertEqual(found, ["B.md:1: clause B1.1 names no test and does not say why"])
  }

  func testMissingMethodAndClassAreFound() {
    let spec = "### B1.1 One\nTests: GoodTests.testThree, LostTests.testOne\n"
    XCTAssertEqual(
      problems(spec: spec, source: source),
      [
        "B.md:1: clause B1.1 names GoodTests.testThree, but GoodTests has no method testThree",
        "B.md:1: clause B1.1 names LostTests.testOne, but there is no class LostTests",
      ])
  }

  func testUnknownCitationIsFound() {
    let spec = "### B1.1 One\nTests: GoodTests.testOne\n"
    let cited = source.replacingOccurrences(of: "Spec: B1.1", with: "Spec: B1, B7.1")
    XCTAssertEqual(
      problems(spec: spec, source: cited),
      ["GoodTests.swift:3: cites 'B7.1', which is not a clause of the Spec"])
  }

  func testMalformedTextIsFound() {
    let spec = """
      Tests: GoodTests.testOne

      ### One
      ### B1.1 One
      Tests: GoodTests testOne

      Tests: GoodTests.testOne

      Planned: both.
      """
    XCTAssertEqual(
      problems(spec: spec, source: source),
      [
        "B.md:1: this belongs to no clause: Tests: GoodTests.testOne",
        "B.md:3: the heading has no clause number: ### One",
        "B.md:5: clause B1.1 names 'GoodTests testOne', which is not a test's name",
        "B.md:7: clause B1.1 is finished twice",
        "B.md:9: clause B1.1 is finished twice",
      ])
  }
}
