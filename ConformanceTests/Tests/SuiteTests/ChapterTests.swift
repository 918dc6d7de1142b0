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

  func testSelectorsReachTheChapters() {
    XCTAssertEqual(ConformanceSuite.cases(matching: "27").count, ConformanceSuite.combinators.count)
    XCTAssertEqual(ConformanceSuite.cases(matching: "cancel").count, ConformanceSuite.cancellation.count)
    XCTAssertEqual(ConformanceSuite.cases(matching: "27.2.4.1+none").map(\.title).count, 1)
  }

  /// By default, an adapter has neither combinators nor cancellation.
  func testAnAdapterWithoutThemCannotExpressThem() {
    let report = ConformanceRun(cases: chapters).run(Silent()) { _ in }
    XCTAssertEqual(report.notExpressible.count, chapters.count)
    XCTAssertEqual(report.official.total + report.beyond.total, 0)
    XCTAssertEqual(report.counts(of: .cancellation).notExpressible, ConformanceSuite.cancellation.count)
    let reasons = report.notExpressible.map(\.outcome)
    XCTAssertTrue(reasons.contains(.notExpressible("the adapter has no `race`")))
    XCTAssertTrue(reasons.contains(.notExpressible("the adapter has no tokens")))
  }

  /// An adapter may provide throwing iterators in its own way, because a Swift iterator cannot throw.
  func testIteratorsThatThrowNeedAnAdapterForThem() {
    XCTAssertEqual(chapters.compactMap(\.inexpressible), [])
    let iterators = ["27.2.4.1", "27.2.4.2", "27.2.4.3", "27.2.4.5"].map { "\($0)+iterator" }
    let cases = iterators.flatMap { ConformanceSuite.cases(matching: $0) }
    var adapter = StandInAdapter()
    adapter.takesThrowingIterators = false
    let report = ConformanceRun(cases: cases).run(adapter) { _ in }
    XCTAssertEqual(report.notExpressible.map(\.testCase.id), iterators)
    XCTAssertEqual(
      report.notExpressible.first?.outcome,
      .notExpressible("a Swift sequence cannot throw while it is iterated"))
  }

  func testReportsCountThemApart() {
    let cases = ConformanceSuite.cases(matching: "2.1.2.1") + ConformanceSuite.cases(matching: "27.2.4.6")
    let report = ConformanceRun(cases: cases).run(StandInAdapter()) { _ in }
    XCTAssertEqual(report.official.total, 6)
    XCTAssertEqual(report.counts(of: .combinators).passed, 4)
    XCTAssertEqual(report.counts(of: .cancellation).total, 0)
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
