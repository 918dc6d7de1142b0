import PromisesAPlusSuite
import XCTest

/// Each capability, denied: no case may use it, all others must pass, and something must be left out.
final class CapabilityTests: XCTestCase {
  func testWithoutThenables() { check(without: .thenables) }
  func testWithoutUntypedReasons() { check(without: .untypedReasons) }
  func testWithoutUntypedValues() { check(without: .untypedValues) }
  func testWithoutAbsentHandlers() { check(without: .absentHandlers) }
  func testWithoutAdoption() { check(without: .adoption) }
  func testWithoutThrowingHandlers() { check(without: .throwingHandlers) }
  func testWithoutResolve() { check(without: .resolve) }
  func testWithoutAny() { check(without: .all) }

  /// The guard itself: with a capability denied, and cases that need it nevertheless run, it notes them.
  func testTheGuardNotesWhatIsUsed() {
    let adapter = GuardedAdapter(without: .all)
    let made = adapter.pending()
    _ = adapter.then(made.promise, { _ in 1 }, nil)
    made.resolve(1)
    adapter.quiesce?()
    XCTAssertEqual(
      Set(adapter.breaches.take()), ["leaves a handler out", "resolves with 1", "uses 1 as a value"])
  }

  private func check(without missing: Capabilities) {
    let adapter = GuardedAdapter(without: missing)
    let report = ConformanceRun(deadline: 20).run(adapter) { event in
      guard case .finished(let result) = event else { return }
      for breach in Set(adapter.breaches.take()) {
        XCTFail("\(result.testCase.id) \(breach), which is not in what it needs")
      }
    }
    for failure in report.failures { XCTFail("\(failure.testCase.id): \(failure.outcome)") }
    let leftOut = report.notExpressible.filter { $0.testCase.inexpressible == nil }
    XCTAssertFalse(leftOut.isEmpty)
    XCTAssertTrue(leftOut.allSatisfy { !$0.testCase.needs.isDisjoint(with: missing) })
    XCTAssertEqual(report.passedCount + report.notExpressible.count, ConformanceSuite.cases.count)
  }
}
