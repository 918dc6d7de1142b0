import PromisesAPlusSuite
import XCTest

/// Tests that no case uses capabilities that it does not declare.
final class CapabilityTests: XCTestCase {
  /// Denies each case all capabilities that it does not declare. Absent handlers stay allowed, because their
  /// substitutes throw, which would need another capability.
  func testNoCaseUsesMoreThanItNeeds() {
    let byNeeds = Dictionary(grouping: ConformanceSuite.cases, by: \.needs.rawValue)
    XCTAssertGreaterThan(byNeeds.count, 7)
    for (needs, cases) in byNeeds {
      check(cases, with: Capabilities(rawValue: needs).union(.absentHandlers))
    }
  }

  func testNoCaseLeavesAHandlerOutUnlessItNeedsThat() {
    check(ConformanceSuite.cases, with: .all.subtracting(.absentHandlers))
  }

  func testWithoutAny() {
    check(ConformanceSuite.cases, with: [])
    for (capability, _, words) in eachCapability { XCTAssertEqual(capability.names, [words]) }
  }

  private func check(_ cases: [ConformanceCase], with capabilities: Capabilities) {
    let adapter = GuardedAdapter(without: .all.subtracting(capabilities))
    let report = ConformanceRun(cases: cases, deadline: 20).run(adapter) { event in
      guard case .finished(let result) = event else { return }
      for breach in Set(adapter.takeBreaches()) {
        XCTFail("\(result.testCase.id) \(breach), which needs a capability that the case does not declare")
      }
    }
    XCTAssertEqual(report.results.count, cases.count)
    XCTAssertGreaterThan(report.passedCount, 0)
    for result in report.results where result.testCase.inexpressible == nil {
      let missing = result.testCase.needs.subtracting(capabilities).names.joined(separator: ", ")
      let expected: CaseOutcome = missing.isEmpty ? .passed : .notExpressible("needs " + missing)
      XCTAssertEqual(result.outcome, expected, result.testCase.id)
    }
  }
}
