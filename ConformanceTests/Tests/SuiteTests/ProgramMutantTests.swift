import Foundation
import PromisesAPlusSuite
import XCTest

/// Runs random programs on promises that are each broken in one known way.
final class ProgramMutantTests: XCTestCase {
  /// The defects that programs do not test.
  ///
  /// They concern `nil` as a value, a promise or thenable as a reason, rings of several promises, a getter
  /// that needs another thread, and races. Promises/A+ does not cover such rings.
  private static let unseen: Set<Defect> = [
    .nilValuePending, .nilNeverSettles, .rejectedReasonAdopted, .thenableReasonAdopted, .longCycleIgnored,
    .ringOfThreeIgnored, .getterReadLocked,
    .cycleLosesRace, .bothSettlementsWin, .adoptionLosesRace, .bothThenableCallsWin, .claimUnlocked,
  ]

  /// The failure of each defect that programs test, on one thread.
  static let found: [(Defect, ProgramFailure?)] = Defect.allCases
    .filter { !unseen.contains($0) }
    .map { ($0, ProgramRun(count: 3_000).run(StandInAdapter($0)).failure) }

  func testEachMutantIsFound() {
    var clauses: Set<String> = []
    print("\(Self.found.count) of \(Defect.allCases.count) mutants, the seed and the clause of each:")
    for (defect, failure) in Self.found {
      guard let failure else {
        XCTFail("survives: \(defect.rawValue)")
        continue
      }
      clauses.insert(failure.clause)
      print("  \(failure.seed)  \(failure.clause)  \(defect.rawValue): \(failure.message)")
    }
    // Each kind of check fails for at least one defect.
    XCTAssertEqual(
      clauses.sorted(),
      [
        "2.1.3.1", "2.2.2.2", "2.2.2.3", "2.2.3.2", "2.2.3.3", "2.2.4", "2.2.6.1", "2.2.6.2", "2.2.7.2",
        "2.2.7.3", "2.2.7.4", "2.3.1", "2.3.2.2", "2.3.2.3", "2.3.3.1", "2.3.3.2", "2.3.3.3", "2.3.3.3.1",
        "2.3.3.3.2", "2.3.3.3.4.2", "2.3.3.4", "2.3.4", "on(_:)",
      ])
  }

  func testWhatProgramsDoNotLookForHolds() {
    for defect in Self.unseen {
      let report = ProgramRun(count: 500).run(StandInAdapter(defect))
      XCTAssertNil(report.failure, "\(defect): \(report)")
    }
  }

  func testAFailureIsShrunk() throws {
    let failures = Dictionary(uniqueKeysWithValues: Self.found)
    let forgotten = try XCTUnwrap(failures[.otherContextIsForgotten] ?? nil)
    XCTAssertEqual(
      forgotten.steps,
      """
        p1 = pending() on context b
        p2 = p1.then
        p10 = pending() on context a
        p11 = p10.then
          onFulfilled:
            p12 = p11.then
              onFulfilled: returns p2
            returns v15
        reject p1 with e16
        fulfill p10 with v3
        context a runs 2 jobs
        context b runs a job
        all contexts run their jobs

      """)
    // Each shrunk program is short.
    for (defect, failure) in Self.found {
      let count = failure?.steps.split(separator: "\n").count ?? 0
      XCTAssertLessThanOrEqual(count, 20, "\(defect): \(failure?.steps ?? "")")
    }
  }
}
