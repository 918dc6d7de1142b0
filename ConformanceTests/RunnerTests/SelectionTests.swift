import RunnerKit
import XCTest

/// Which cases `--clause` and `--case` choose.
final class SelectionTests: XCTestCase {
  func testAPrefixCountsWholeNumbers() throws {
    let prefix = try XCTUnwrap(ClausePrefix("2.3.3"))
    XCTAssertTrue(prefix.covers("2.3.3"))
    XCTAssertTrue(prefix.covers("2.3.3.3.1"))
    XCTAssertFalse(prefix.covers("2.3.30"))
    XCTAssertFalse(prefix.covers("2.3"))
    XCTAssertFalse(prefix.covers("12.3.3"))
  }

  func testAPrefixMayBeAWord() throws {
    let prefix = try XCTUnwrap(ClausePrefix("cancel"))
    XCTAssertTrue(prefix.covers("cancel.down"))
    XCTAssertFalse(prefix.covers("2.2.4"))
    XCTAssertTrue(try XCTUnwrap(ClausePrefix("cancel.up")).covers("cancel.up"))
    XCTAssertFalse(try XCTUnwrap(ClausePrefix("27")).covers("2.7"))
  }

  func testNothingAskedForIsEverything() {
    XCTAssertTrue(Selection().contains(id: "x", clause: "2.1", officialNumber: nil))
  }

  func testClausesAndCasesAddUp() throws {
    var selection = Selection()
    selection.clauses = [try XCTUnwrap(ClausePrefix("2.2"))]
    selection.cases = ["X1", "17"]
    XCTAssertTrue(selection.contains(id: "a", clause: "2.2.6.1", officialNumber: 300))
    XCTAssertTrue(selection.contains(id: "X1", clause: "2.3.1", officialNumber: nil))
    XCTAssertTrue(selection.contains(id: "b", clause: "2.1.3.1", officialNumber: 17))
    XCTAssertFalse(selection.contains(id: "c", clause: "2.1.3.1", officialNumber: 170))
    XCTAssertFalse(selection.contains(id: "X10", clause: "2.3.1", officialNumber: nil))
  }
}
