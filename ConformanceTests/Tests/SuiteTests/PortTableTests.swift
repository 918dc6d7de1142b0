import PromisesAPlusSuite
import XCTest

/// Compares the port with the facts about the official suite.
final class PortTableTests: XCTestCase {
  func testEveryOfficialNumberIsThereExactlyOnce() {
    let numbers = ConformanceSuite.official.compactMap(\.officialNumber)
    XCTAssertEqual(numbers.sorted(), Array(1...OfficialClauses.caseCount))
    XCTAssertEqual(OfficialClauses.caseCount, 872)
    XCTAssertEqual(OfficialClauses.entries.last?.numbers.upperBound, OfficialClauses.caseCount)
  }

  func testThePortTableIsConsistent() {
    XCTAssertEqual(PortTable.defects(in: ConformanceSuite.cases), [])
  }

  func testTheTableSeesWhatIsWrong() {
    let cases = ConformanceSuite.cases
    XCTAssertFalse(PortTable.defects(in: Array(cases.dropFirst())).isEmpty, "a case is missing")
    XCTAssertFalse(PortTable.defects(in: cases + [cases[0]]).isEmpty, "a case occurs twice")
    XCTAssertFalse(PortTable.defects(in: cases.reversed()).isEmpty, "the order differs")
  }

  func testOnlyWhatHasNoMeaningInSwiftIsLeftOut() {
    let leftOut = ConformanceSuite.cases.filter { $0.inexpressible != nil }
    XCTAssertEqual(leftOut.map(\.officialNumber), [71, 72, 73, 74])
    for testCase in leftOut { XCTAssertGreaterThan(testCase.inexpressible?.count ?? 0, 20, testCase.id) }
  }
}
