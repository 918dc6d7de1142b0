import Foundation
import PromisesAPlusSuite
import XCTest

/// The HTML page, and the marks that it shares with the text report.
final class PageReportTests: XCTestCase {
  /// The results of these indices.
  private func sample(_ places: Int..., programs: ProgramReport...) -> MatrixReport {
    matrix(places.map { ReportTests.results[$0] }, programs: programs)
  }

  func testThePageIsWellFormedAndSaysWhatFailed() throws {
    let page = try Element(parsing: HTMLReport().render(sample(0, 1, 2, 5)))
    XCTAssertEqual(page.name, "html")
    XCTAssertEqual(page.all("script").count, 0)
    XCTAssertEqual(page.all("pre").map(\.text), [ReportTests.shown])
    XCTAssertEqual(page.all("b").map(\.text), ["2.1.2.1/2 on mine"])
    XCTAssertEqual(page.all("p").first?.text, "1 result is not as declared")
    XCTAssertEqual(
      page.all("h2").map(\.text), ["What failed", "Clauses", "Declared deviations", "Not expressible"])
    XCTAssertEqual(page.all("li").map(\.text), ["2.2.4/1: on the stack", "2.2.5/1: no receiver"])
    XCTAssertTrue(page.all("td").contains { $0.attributes["class"] == "bad" && $0.text == "✗ 1" })
  }

  func testThePageShowsTheFailingProgram() throws {
    let programs = ProgramRun(count: 3_000).run(StandInAdapter(.throwDoesNotLock))
    let failure = try XCTUnwrap(programs.failure)
    let matrix = sample(0, programs: programs)
    XCTAssertEqual(matrix.verdict, "a random program fails")
    let page = try Element(parsing: HTMLReport().render(matrix))
    XCTAssertEqual(page.all("h2").map(\.text), ["Random programs", "Clauses"])
    XCTAssertEqual(page.all("b").map(\.text), ["seed \(failure.seed) fails 2.3.3.3.4.2"])
    XCTAssertEqual(page.all("pre").map(\.text), [failure.steps])
  }

  func testJUnitCountsAllProgramsAsOneCase() throws {
    let right = ProgramRun(count: 20).run(StandInAdapter())
    let wrong = ProgramRun(count: 3_000).run(StandInAdapter(.throwDoesNotLock))
    let unable = ProgramRun(count: 20).run(Silent())
    let reports = [right, wrong, unable].map { MatrixReport([], programs: [$0]) }
    XCTAssertEqual(reports.map(\.isAsDeclared), [true, false, false])
    let runs = sample(0).runs
    XCTAssertTrue(MatrixReport(runs, programs: [unable]).isAsDeclared)

    let junit = try reports.map { try Element(parsing: JUnitReport().render($0)) }
    XCTAssertEqual(junit.map { $0.attributes["tests"] }, ["1", "1", "1"])
    XCTAssertEqual(junit.map { $0.attributes["failures"] }, ["0", "1", "0"])
    XCTAssertEqual(junit.map { $0.attributes["skipped"] }, ["0", "0", "1"])
    XCTAssertEqual(junit.map { $0.all("testcase").count }, [1, 1, 1])
    XCTAssertEqual(junit.map { $0.all("failure").count }, [0, 1, 0])
    XCTAssertEqual(junit.map { $0.all("skipped").count }, [0, 0, 1])
  }
}
