import PromisesAPlusSuite
import XCTest

/// Promises as their authors ship them, wrong in one respect. The suite finds each, on one processor as on
/// two.
final class SubtleMistakeTests: XCTestCase {
  func testTheRightPromisePasses() {
    let report = ConformanceRun(deadline: 20).run(SubtleAdapter(nil)) { _ in }
    XCTAssertEqual(report.failures.map(\.description), [])
  }

  /// A race may not show in one run beside other processes.
  func testEachMistakeIsFound() {
    let run = ConformanceRun(deadline: 2, maximumFailures: 1)
    for mistake in SubtlePromise.Mistake.allCases {
      let rounds = mistake.rawValue.hasSuffix("(race)") ? 3 : 1
      let found = (0..<rounds).lazy.compactMap { _ in
        run.run(SubtleAdapter(mistake)) { _ in }.failures.first
      }.first
      print("\(found?.testCase.id ?? "SURVIVES"): \(mistake.rawValue)")
      XCTAssertNotNil(found, mistake.rawValue)
    }
  }
}
