// Runs each line of the growth table (`swift run growth`) with few promises, to check that the line still
// works.

import DynamicPromise
import Growth
import XCTest

final class GrowthTableTests: XCTestCase {
  /// Ignores times, which are meaningless for so few promises.
  private static func growth(_ line: Line, _ n: Int = 100) -> Growth {
    Growth(
      costs: [n, 10 * n].map { n in
        var cost = Cost.of(line, n)
        cost.time = 0
        return cost
      })
  }

  // Spec: L4.8
  func testEachLineOnASmallStack() {
    _ = standardLossHook
    onSmallStack {
      for line in Line.all where line.exception == nil {
        let growth = GrowthTableTests.growth(line)
        XCTAssertFalse(growth.isTooFast, "\(line.name): \(growth.costs)")
      }
    }
  }

  /// The nests are deep enough for recursion over promises to overflow the stack.
  // Spec: L4.9
  func testNestsOnASmallStack() {
    onSmallStack {
      for line in Line.nesting + Line.following { _ = Cost.of(line, 3000) }
    }
  }

  /// The counts detect the quadratic growth of an exception, so they would also detect a quadratic fault.
  // Spec: L4.8
  func testQuadraticGrowthIsFound() throws {
    let spine = try XCTUnwrap(Line.all.first { $0.exception?.hasPrefix("L4.8") == true })
    let growth = Self.growth(spine, 1000)
    try XCTSkipIf(growth.costs[0].locked == 0, "nothing is counted in release builds")
    XCTAssertTrue(growth.isTooFast, "\(growth.costs)")
  }
}
