import Foundation
import PromisesAPlusSuite
import XCTest

/// Random programs whose operations several threads share.
final class ProgramThreadsTests: XCTestCase {
  private func failure(_ defect: Defect?, _ count: Int, _ threads: Int = 3) -> ProgramFailure? {
    ProgramRun(count: count, threads: threads, deadline: 60).run(StandInAdapter(defect)).failure
  }

  func testARightPromiseHolds() { for threads in 2...4 { XCTAssertNil(failure(nil, 300, threads)) } }

  func testTheReportNamesTheNumberOfThreads() throws {
    let report = ProgramRun(count: 20, threads: 3, deadline: 60).run(StandInAdapter())
    XCTAssertTrue("\(report)".hasPrefix("20 random programs hold on 3 threads ("), "\(report)")
    let matrix = MatrixReport([], programs: [report])
    let page = try Element(parsing: HTMLReport().render(matrix))
    XCTAssertTrue(page.all("p").map(\.text).contains("\(report)"), "\(page.all("p").map(\.text))")
  }

  /// Together, these mutants break every rule that holds in any order. The program is not shrunk, because a
  /// shorter program may run in another order.
  func testMutantsBreakTheirRule() throws {
    let table: [(Defect, clause: String)] = [
      (.fulfilHandlerTwice, "2.2.2.3"), (.rejectHandlerTwice, "2.2.3.3"), (.reverseOrder, "2.2.6.1"),
      (.runsInsideSettle, "2.2.4"), (.otherContextRunsHandlers, "on(_:)"), (.adoptionPolls, "on(_:)"),
      (.getterReadTwice, "2.3.3.1"), (.thenMethodTwice, "2.3.3.3"), (.adoptedNeverSettles, "2.2.2.1"),
      (.valueCopied, "2.2.2.1"), (.reasonReplaced, "2.2.3.1"), (.thenableIsAValue, "2.3"),
    ]
    for (defect, clause) in table {
      let found = try XCTUnwrap(failure(defect, 2_000), "\(defect)")
      XCTAssertEqual(found.clause, clause, "\(defect): \(found)")
      XCTAssertTrue(found.steps.contains("p1 = pending()"), found.steps)
    }
  }

  /// The order of the steps determines which rule a race breaks first.
  func testRacesAreFound() {
    let races: [Defect] = [.overtakenByLateThen, .adoptionLosesRace, .bothThenableCallsWin]
    for defect in races { XCTAssertNotNil(failure(defect, 10_000), "\(defect)") }
  }

  /// In some run, two handlers of a promise see different outcomes.
  func testTheFirstSettlementWins() {
    let clauses = (0..<50).lazy.compactMap { round in
      ProgramRun(count: 1_000, seed: UInt64(round * 1_000), threads: 3, deadline: 60)
        .run(StandInAdapter(.bothSettlementsWin)).failure?.clause
    }
    XCTAssertTrue(clauses.contains { $0 == "2.1.2.1" || $0 == "2.1.3.1" })
  }
}
