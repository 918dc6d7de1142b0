import PromisesAPlusSuite
import XCTest

/// Compares the port with the facts about the official suite.
final class PortTableTests: XCTestCase {
  func testEveryOfficialNumberIsThereOnceInOrderAndAtItsClause() {
    XCTAssertEqual(OfficialClauses.entries.last?.numbers.upperBound, 872)
    for entry in OfficialClauses.entries {
      let numbers = ConformanceSuite.cases.filter { $0.clause == entry.clause }.compactMap(\.officialNumber)
      XCTAssertEqual(numbers, Array(entry.numbers), entry.clause)
    }
    XCTAssertEqual(ConformanceSuite.official.count, 872)
  }

  func testOnlyWhatHasNoMeaningInSwiftIsLeftOut() {
    let leftOut = ConformanceSuite.cases.filter { $0.inexpressible != nil }
    XCTAssertEqual(leftOut.map(\.officialNumber), [71, 72, 73, 74])
    for testCase in leftOut { XCTAssertGreaterThan(testCase.inexpressible?.count ?? 0, 20, testCase.id) }
  }
}
