import RunnerKit
import XCTest

/// The cases that `--clause` and `--case` select.
final class SelectionTests: XCTestCase {
  func testAPrefixCoversWholeNumbersAndWords() throws {
    let table: [(prefix: String, clause: String, covers: Bool)] = [
      ("2.3.3", "2.3.3", true), ("2.3.3", "2.3.3.3.1", true), ("2.3.3", "2.3.30", false),
      ("2.3.3", "2.3", false), ("2.3.3", "12.3.3", false), ("27", "2.7", false),
      ("cancel", "cancel.down", true), ("cancel", "2.2.4", false), ("cancel.up", "cancel.up", true),
    ]
    for (prefix, clause, covers) in table {
      XCTAssertEqual(try XCTUnwrap(ClausePrefix(prefix)).covers(clause), covers, "\(prefix), \(clause)")
    }
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
