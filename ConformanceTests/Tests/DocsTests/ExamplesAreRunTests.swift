import Foundation
import XCTest

/// A named block of code in a document or in a source.
struct Example {
  let name: String
  let place: String
  var lines: [String]

  /// The code without the indentation that all of its lines share.
  var code: String {
    let indents = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map {
      $0.prefix(while: { $0 == " " }).count
    }
    let shared = indents.min() ?? 0
    return lines.map { String($0.dropFirst(min(shared, $0.count))) }.joined(separator: "\n")
  }
}

/// The examples of the documents, and the sources in which they run.
///
/// In a document, the comment `<!-- example: name -->` is on the line before each Swift block. In a source,
/// the same code is between the comments `// example: name` and `// end`, inside a test of the code.
enum Examples {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// `README.md` and everything in `docs`, as paths below the root.
  static func documents() throws -> [String] {
    let below = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path)
    return ["README.md"] + below.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The text of a document. With `UPDATE_DOCS` in the environment, the updated text replaces the document.
  static func text(_ path: String, updated: (String) -> String) throws -> String {
    let text = try text(path)
    guard ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil else { return text }
    let new = updated(text)
    try new.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
    return new
  }

  /// The sources in the folder of this file.
  static func sources() throws -> [String] {
    let folder = "ConformanceTests/Tests/DocsTests"
    return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Examples, and the faults in their marks.
  struct Found {
    var examples: [Example] = []
    var problems: [String] = []
  }

  /// The Swift blocks of a document. A block without a name is reported as a problem.
  static func inDocument(_ path: String, _ text: String) -> Found {
    regions(of: text, at: path, end: "```") { line, before in
      guard line == "```swift" else { return nil }
      return before.wholeMatch(of: /<!-- example: (\S+) -->/).map { String($0.1) } ?? ""
    }
  }

  /// The named regions of a source.
  static func inSource(_ path: String, _ text: String) -> Found {
    regions(of: text, at: path, end: "// end") { line, _ in
      line.wholeMatch(of: /\s*\/\/ example: (\S+)/).map { String($0.1) }
    }
  }

  /// `name` receives each line and the line before. It returns the name of the region that begins there.
  private static func regions(
    of text: String, at path: String, end: String, name: (String, String) -> String?
  ) -> Found {
    var (found, open, before) = (Found(), Example?.none, "")
    for (offset, line) in text.components(separatedBy: "\n").enumerated() {
      if let name = name(line, before) {
        if let open { found.problems.append("\(open.place): the region \(open.name) has no end") }
        open = Example(name: name, place: "\(path):\(offset + 1)", lines: [])
      } else if let region = open, line.trimmingCharacters(in: .whitespaces) == end {
        if region.name.isEmpty {
          found.problems.append("\(region.place): the block has no name, so nothing checks it")
        } else {
          found.examples.append(region)
        }
        open = nil
      } else {
        open?.lines.append(line)
      }
      before = line
    }
    if let open { found.problems.append("\(open.place): the region \(open.name) has no end") }
    return found
  }

  /// The differences between documents and sources, in both directions.
  static func differences(documents: [Example], sources: [Example]) -> [String] {
    var problems: [String] = []
    let running = Dictionary(grouping: sources, by: \.name)
    for (name, regions) in running where regions.count > 1 {
      problems.append("\(name) occurs twice: \(regions.map(\.place).joined(separator: ", "))")
    }
    for example in documents {
      guard let region = running[example.name]?.first else {
        problems.append("\(example.place): no source has an example \(example.name)")
        continue
      }
      if region.code != example.code {
        problems.append("\(example.place): not the same as \(region.place):\n\(region.code)")
      }
    }
    let shown = Set(documents.map(\.name))
    for region in sources where !shown.contains(region.name) {
      problems.append("\(region.place): no document shows the example \(region.name)")
    }
    return problems.sorted()
  }
}

/// Every Swift block of the documents is code that runs in a test.
final class ExamplesAreRunTests: XCTestCase {
  func testDocumentsShowWhatIsRun() throws {
    var (sources, shown, problems): ([Example], [Example], [String]) = ([], [], [])
    for path in try Examples.sources() where !path.hasSuffix("/ExamplesAreRunTests.swift") {
      let found = Examples.inSource(path, try Examples.text(path))
      sources += found.examples
      problems += found.problems
    }
    for path in try Examples.documents() {
      let text = try Examples.text(path) { Self.updated($0, path, from: sources) }
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

  func testProblemsAreFound() {
    XCTAssertEqual(problems(document, source), [], "the indentation does not matter")
    let changed = source.replacingOccurrences(of: "1 + 2", with: "1 + 3")
    XCTAssertEqual(
      problems(document, changed), ["guide.md:3: not the same as Guide.swift:1:\nlet sum = 1 + 3"])
    XCTAssertEqual(problems(document, ""), ["guide.md:3: no source has an example sum"])
    XCTAssertEqual(problems("", source), ["Guide.swift:1: no document shows the example sum"])
    let unnamed = "```swift\nlet sum = 1 + 2\n```\n"
    XCTAssertEqual(problems(unnamed, ""), ["guide.md:1: the block has no name, so nothing checks it"])
    let endless = source.replacingOccurrences(of: "  // end\n", with: "")
    XCTAssertTrue(problems(document, endless).contains("Guide.swift:1: the region sum has no end"))
  }
}
