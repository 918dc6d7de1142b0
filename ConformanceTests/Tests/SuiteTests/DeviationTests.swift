import PromisesAPlusSuite
import XCTest

/// Declared deviations. An undeclared failure and a declared deviation that passes are both failures.
final class DeviationTests: XCTestCase {
  private let reason = "known, and written down"

  private func run(
    _ clause: String, _ deviations: [Deviation], _ adapter: StandInAdapter
  ) -> ConformanceReport {
    ConformanceRun(cases: ConformanceSuite.cases(matching: clause), deviations: deviations, deadline: 5)
      .run(adapter)
  }

  // Spec: A5.3
  func testADeclaredDeviationThatPassesIsAFailure() throws {
    let chosen = try XCTUnwrap(ConformanceSuite.cases(matching: "2.3.1").first)
    let report = run("2.3.1", [Deviation(chosen.id, reason: reason)], StandInAdapter())
    XCTAssertEqual(report.failures.map(\.testCase.id), [chosen.id])
    XCTAssertFalse(report.isAsDeclared)
    XCTAssertTrue(report.deviations.isEmpty)
    guard case .failed(let message)? = report.failures.first?.outcome else { return XCTFail("no failure") }
    XCTAssertEqual(message, "passes, although Deviation(\"\(chosen.id)\") declares it: \(reason)")
    XCTAssertTrue(report.description.contains("Mend first (2.3.1): remove the Deviation"), "\(report)")
  }

  // Spec: A5.2
  func testAnUndeclaredFailureBesideADeclaredOneIsAFailure() throws {
    let adapter = StandInAdapter(.nilHandlerSwallowsValue)
    let failing = run("2.2.7.3", [], adapter).failures.map(\.testCase.id)
    let spared = try XCTUnwrap(failing.last)
    let declared = failing.map { Deviation($0, reason: reason) }
    let all = run("2.2.7.3", declared, adapter)
    XCTAssertTrue(all.isAsDeclared)
    XCTAssertEqual(all.deviations.map(\.testCase.id), failing)
    XCTAssertTrue(all.deviations.allSatisfy { $0.outcome == .deviated(reason) })
    let others = run("2.2.7.3", Array(declared.dropLast()), adapter)
    XCTAssertEqual(others.failures.map(\.testCase.id), [spared])
    XCTAssertFalse(others.isAsDeclared)
  }

  // Spec: A5.1
  func testADeclarationThatNamesNoCaseIsNotAsDeclared() {
    let mistyped = [Deviation("2.3.1/1", "2.3.1x", reason: reason), Deviation("2.9", reason: reason)]
    let report = run("2.3.4", mistyped, StandInAdapter())
    XCTAssertTrue(report.failures.isEmpty)
    XCTAssertEqual(report.unknownSelectors, ["2.3.1x", "2.9"])
    XCTAssertFalse(report.isAsDeclared)
    let elsewhere = run("2.3.4", [Deviation("2.3.1/1", reason: reason)], StandInAdapter())
    XCTAssertTrue(elsewhere.isAsDeclared, "a deviation of a case outside the run has no effect")
  }

  // MARK: Deviations that cannot occur

  // Spec: A5.1
  func testADeviationOfCasesThatSwiftCannotSayIsNotAsDeclared() {
    let report = run("2.2.5", [Deviation("2.2.5", reason: reason)], StandInAdapter())
    XCTAssertFalse(report.results.isEmpty)
    XCTAssertEqual(report.notExpressible.count, report.results.count)
    XCTAssertEqual(report.impossibleSelectors, ["2.2.5"])
    XCTAssertFalse(report.isAsDeclared)
    let single = run("2.2.5", [Deviation("2.2.5/1", reason: reason)], StandInAdapter())
    XCTAssertEqual(single.impossibleSelectors, ["2.2.5/1"])
  }

  // MARK: Order of scheduling

  // Spec: A5.1
  func testOverlappingHandlersDeviateInOrderAndInNothingElse() {
    let adapter = StandInAdapter(overlapping: nil, reason: reason)
    let report = ConformanceRun(deadline: 20).run(adapter)
    for failure in report.failures { XCTFail("\(failure.testCase.id): \(failure.outcome)") }
    let ordered = ConformanceSuite.cases.filter(\.observesOrder)
    XCTAssertFalse(ordered.isEmpty)
    XCTAssertTrue(ordered.allSatisfy { $0.matches("2.2.6") })
    XCTAssertEqual(report.deviations.map(\.testCase.id), ordered.map(\.id))
  }

  func testWrongOrderAtSchedulingIsAFailure() {
    for (clause, defect) in [("2.2.6.1", Defect.reverseOrder), ("2.2.6.2", .reverseRejectionOrder)] {
      let report = run(clause, [], StandInAdapter(overlapping: defect, reason: reason))
      XCTAssertFalse(report.failures.isEmpty, clause)
    }
  }
}
