import PromisesAPlusSuite
import XCTest

/// The chapters outside Promises/A+: their ids, their results on an adapter without them, and their counts in
/// reports.
final class ChapterTests: XCTestCase {
  private let chapters = ConformanceSuite.chapters

  func testIdsAreUniqueAndBeginWithTheirClause() {
    let ids = (ConformanceSuite.cases + chapters).map(\.id)
    XCTAssertEqual(Set(ids).count, ids.count)
    for testCase in chapters {
      XCTAssertTrue(testCase.id.hasPrefix(testCase.clause + "+"), testCase.id)
      XCTAssertFalse(testCase.isOfficial || testCase.isBeyond, testCase.id)
    }
  }

  /// By default, an adapter has neither combinators nor cancellation.
  func testAnAdapterWithoutThemCannotExpressThem() {
    let report = ConformanceRun(cases: chapters).run(Silent()) { _ in }
    XCTAssertEqual(report.notExpressible.count, chapters.count)
    XCTAssertEqual(report.official.total + report.beyond.total, 0)
    let reasons = report.notExpressible.map(\.outcome)
    XCTAssertTrue(reasons.contains(.notExpressible("the adapter has no `race`")))
  }

  /// Each chapter notices a wrong member.
  func testWhatIsWrongFailsItsClause() {
    typealias Change = @Sendable (inout ChangedAdapter) -> Void
    let made: @Sendable () -> StandIn = { StandInAdapter().pending().promise }
    let changes: [(clause: String, change: Change)] = [
      ("27.2.4.1", { $0.combinators.all = { _ in made() } }),
      ("27.2.4.2", { $0.combinators.allSettled = { _ in StandInAdapter().fulfilled(()) } }),
      ("27.2.4.3", { $0.combinators.any = { _ in StandInAdapter().rejected(()) } }),
      ("27.2.4.5", { $0.combinators.race = { inputs in StandInAdapter().fulfilled(inputs) } }),
      ("27.2.4.7", { $0.combinators.resolve = { StandInAdapter().rejected($0) } }),
      ("27.2.5.3", { $0.combinators.finally = { promise, _ in promise } }),
    ]
    for (clause, change) in changes {
      var adapter = ChangedAdapter()
      change(&adapter)
      let run = ConformanceRun(cases: ConformanceSuite.cases(matching: clause), deadline: 0.05)
      XCTAssertFalse(run.run(adapter) { _ in }.failures.isEmpty, clause)
    }
  }

  func testReportsCountThemApart() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1") + ConformanceSuite.cases(matching: "27.2.4.6")
    var adapter = ChangedAdapter()
    adapter.combinators.reject = { StandInAdapter().rejected($0) }
    let report = ConformanceRun(cases: cases).run(adapter) { _ in }
    XCTAssertEqual(report.official.total, 6)
    XCTAssertEqual(report.counts(of: .combinators).passed, 4)
    XCTAssertTrue(report.description.contains("\n4 of ECMAScript's combinators: 4 passed\n"))
    let matrix = MatrixReport([RecordedRun(name: "mine", report)])
    XCTAssertEqual(matrix.counts.passed, report.passedCount)
    XCTAssertEqual(matrix.census.chapters, 4)
    let text = TextReport().render(matrix)
    XCTAssertTrue(text.contains("27.2.4.6 reject (4)"), text)
    XCTAssertTrue(text.contains("\n4 of ECMAScript's combinators: 4 passed\n"), text)
    XCTAssertTrue(JUnitReport().render(matrix).contains(#"name="combinators" value="4 passed""#))
  }
}

/// A stand-in with other combinators.
private struct ChangedAdapter: PromiseAdapter {
  var combinators = Combinators<StandIn>()
  private let healthy = StandInAdapter()

  func pending() -> Deferred<StandIn> { healthy.pending() }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    healthy.then(promise, onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { healthy.thenable(source) }
}
