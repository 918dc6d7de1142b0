import Foundation
import XCTest

/// Every Swift block of the documents is code that runs in a test.
final class ExamplesAreRunTests: XCTestCase {
  func testDocumentsShowWhatIsRun() throws {
    var sources: [Example] = []
    var problems: [String] = []
    for path in try Examples.sources() where !path.hasSuffix("/ExamplesAreRunTests.swift") {
      let found = Examples.inSource(path, try Examples.text(path))
      sources += found.examples
      problems += found.problems
    }
    var shown: [Example] = []
    for path in try Examples.documents() {
      var text = try Examples.text(path)
      if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
        text = Self.updated(text, path, from: sources)
        try text.write(to: Examples.root.appending(path: path), atomically: true, encoding: .utf8)
      }
      let found = Examples.inDocument(path, text)
      shown += found.examples
      problems += found.problems
    }
    XCTAssertFalse(shown.isEmpty, "no example was found")
    for problem in problems + Examples.differences(documents: shown, sources: sources) { XCTFail(problem) }
  }

  /// The document, with the code of the sources in its named blocks.
  private static func updated(_ text: String, _ path: String, from sources: [Example]) -> String {
    Examples.inDocument(path, text).examples.reduce(text) { text, example in
      guard let region = sources.first(where: { $0.name == example.name }) else { return text }
      let head = "<!-- example: \(example.name) -->\n```swift\n"
      let old = example.lines.map { $0 + "\n" }.joined()
      return text.replacingOccurrences(of: head + old + "```", with: head + region.code + "\n```")
    }
  }

  // Tests of the comparison itself.

  private let document = "Text\n<!-- example: sum -->\n```swift\nlet sum = 1 + 2\n```\n"
  private let source = "  // example: sum\n    let sum = 1 + 2\n  // end\n"

  private func problems(_ document: String, _ source: String) -> [String] {
    let shown = Examples.inDocument("guide.md", document)
    let run = Examples.inSource("Guide.swift", source)
    return shown.problems + run.problems
      + Examples.differences(documents: shown.examples, sources: run.examples)
  }

  func testIndentationDoesNotMatter() {
    XCTAssertEqual(problems(document, source), [])
  }

  func testOtherCodeIsFound() {
    let changed = source.replacingOccurrences(of: "1 + 2", with: "1 + 3")
    XCTAssertEqual(
      problems(document, changed), ["guide.md:3: not the same as Guide.swift:1:\nlet sum = 1 + 3"])
  }

  func testMissingSourceAndMissingBlockAreFound() {
    XCTAssertEqual(problems(document, ""), ["guide.md:3: no source has an example sum"])
    XCTAssertEqual(problems("", source), ["Guide.swift:1: no document shows the example sum"])
  }

  func testBlockWithoutANameIsFound() {
    let unnamed = "```swift\nlet sum = 1 + 2\n```\n"
    XCTAssertEqual(problems(unnamed, ""), ["guide.md:1: the block has no name, so nothing checks it"])
  }

  func testRegionWithoutAnEndIsFound() {
    let endless = source.replacingOccurrences(of: "  // end\n", with: "")
    XCTAssertTrue(problems(document, endless).contains("Guide.swift:1: the region sum has no end"))
  }
}
