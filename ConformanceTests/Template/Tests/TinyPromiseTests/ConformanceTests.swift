import Foundation
import PromisesAPlusSuite
import XCTest

final class ConformanceTests: XCTestCase {
  func testMyPromise() throws {
    let cases = ConformanceSuite.cases + ConformanceSuite.combinators
    let report = ConformanceRun(cases: cases).run(TinyAdapter())
    let programs = ProgramRun(count: 10_000).run(TinyAdapter())
    let races = ProgramRun(count: 500, threads: 3).run(TinyAdapter())
    print("\(report)\n\(programs)\n\(races)")

    let matrix = MatrixReport([RecordedRun(name: "mine", report)], programs: [programs, races])
    let page = HTMLReport().render(matrix)
    try page.write(toFile: ".build/conformance.html", atomically: true, encoding: .utf8)
    XCTAssertTrue(matrix.isAsDeclared, "see .build/conformance.html")
  }
}
