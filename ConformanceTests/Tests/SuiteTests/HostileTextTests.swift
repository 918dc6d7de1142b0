import Foundation
import PromisesAPlusSuite
import XCTest

/// Texts from outside (names, labels, reasons, messages) in every report and every line.
final class HostileTextTests: XCTestCase {
  private static let texts = [
    "plain", "\u{1B}[31mred\u{1B}]0;title\u{7}", "a\nb\r\nc\u{2028}d\u{85}e", "\r\u{0}\u{8}\u{7F}",
    "\u{202E}backwards\u{2066}", "]]> <script>&amp;\"'</script>", "not ok # TODO", "\u{FFFE}\u{FFFF}",
    "e" + String(repeating: "\u{301}", count: 1_000_000), String(repeating: "long ", count: 10_000_000),
    String(repeating: "\n", count: 1_000_000), "",
  ]

  private func matrix(_ text: String) -> MatrixReport {
    let results: [CaseOutcome] = [.failed(text), .deviated(text), .notExpressible(text), .passed]
    let report = SampleResults.report(
      results.enumerated().map { SampleResults.result("2.1.2.1/\($0)", clause: "2.1.2.1", $1) },
      unknownSelectors: [text], impossibleSelectors: [text])
    return MatrixReport([RecordedRun(name: text, summary: text, report)], interruption: text)
  }

  func testNoTextReachesAReportAsItIs() throws {
    for text in Self.texts {
      let matrix = matrix(text)
      let report = SampleResults.report(matrix.runs[0].cases, unknownSelectors: [text])
      let plain = [TextReport().render(matrix), report.description] + report.results.map(\.description)
      let pages = [JUnitReport().render(matrix), HTMLReport().render(matrix)]
      for page in pages { XCTAssertNoThrow(try Element(parsing: page), page) }
      for output in plain + pages {
        XCTAssertLessThan(output.utf8.count, 1_000_000)
        let bad = output.unicodeScalars.first {
          $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}" || $0 == "\u{2028}")
        }
        XCTAssertNil(bad, "\(output.prefix(2_000).debugDescription)")
      }
      for line in plain.dropFirst(2) { XCTAssertFalse(line.contains(where: \.isNewline)) }
    }
  }

  func testNoTextReachesTheProgressLineAsItIs() {
    for text in Self.texts {
      for style: ProgressLine.Style in [.rewriting, .ids] {
        let drawn = Locked("")
        let progress = ProgressLine(total: 1, style: style) { part in drawn.withLock { $0 += part } }
        progress.show(text)
        progress.show(.started(ConformanceSuite.cases[0]), of: text)
        progress.close()
        XCTAssertFalse(drawn.value.contains("\u{1B}"))
        XCTAssertLessThan(drawn.value.utf8.count, 2_000)
      }
    }
  }

  /// The values of an implementation, in the messages of cases and programs.
  func testADescriptionWithoutEndIsCut() {
    let cases = ConformanceSuite.cases(matching: "2.2.2.1/1")
    let report = ConformanceRun(cases: cases).run(LoudAdapter()) { _ in }
    let programs = ProgramRun(count: 1_000).run(LoudAdapter())
    for text in [report.failures.first?.message, programs.failure?.description] {
      XCTAssertLessThan(text?.utf8.count ?? .max, 5_000)
      XCTAssertFalse(text?.contains("\u{1B}") ?? true)
    }
  }
}

/// Fulfills with a value that has a long and hostile description.
private struct LoudAdapter: PromiseAdapter {
  struct Loud: CustomDebugStringConvertible {
    let debugDescription = "\u{1B}[2J\n" + String(repeating: "x", count: 2_000_000)
  }

  var healthy = StandInAdapter()

  func pending() -> Deferred<StandIn> {
    let made = healthy.pending()
    return Deferred(
      promise: made.promise, resolve: { _ in made.resolve(Loud()) }, fulfill: { _ in made.fulfill(Loud()) },
      reject: made.reject)
  }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    healthy.then(promise, onFulfilled, onRejected)
  }

  func on(_ context: SteppedContext) -> LoudAdapter? { healthy.on(context).map { LoudAdapter(healthy: $0) } }
}
