import Foundation
import XCTest

/// Checks that tests run what the documents show.
///
/// In a document, `<!-- example: name -->` is on the line before a Swift block. In a source of this
/// folder, the same code is between `// example: name` and `// end`. A block after `<!-- program -->` is a
/// whole program; the indented block below it is its output. In `docs/migration`, a table cell that is a
/// single piece of code is a line of `MigrationTests.swift`.
final class ExamplesAreRunTests: XCTestCase {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// The files below `folder` with this extension, as paths below the root.
  private func files(_ type: String, below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
      .filter { $0.hasSuffix(".\(type)") && !$0.contains(".build/") }
      .sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
  }

  private func documents() throws -> [String] { try ["README.md"] + files("md", below: "docs") }

  /// With `UPDATE_DOCS` in the environment, the blocks of the documents are replaced first.
  func testDocumentsShowWhatIsRun() throws {
    var run: [String: String] = [:]
    for source in try files("swift", below: "ConformanceTests/Tests/DocsTests") {
      for match in try text(source).matches(of: /\/\/ example: (\S+)\n(?s)(.*?)\n *\/\/ end/) {
        let twice = run.updateValue(Self.unindented(match.2), forKey: String(match.1))
        XCTAssertNil(twice, "\(source): \(match.1) occurs twice")
      }
    }
    var shown: Set<String> = []
    for document in try documents() {
      var text = try text(document)
      for match in text.matches(of: /<!-- example: (\S+) -->\n```swift\n(?s)(.*?)\n```/).reversed() {
        let name = String(match.1)
        shown.insert(name)
        guard let code = run[name] else {
          XCTFail("\(document): no test has the example \(name)")
          continue
        }
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
          text.replaceSubrange(match.2.startIndex..<match.2.endIndex, with: code)
          try text.write(to: Self.root.appending(path: document), atomically: true, encoding: .utf8)
        } else {
          XCTAssertEqual(String(match.2), code, "\(document): \(name)")
        }
      }
      let unnamed = text.matches(of: /\n([^\n]*)\n```swift\n/).filter {
        $0.1.wholeMatch(of: /<!-- (example: \S+|program) -->/) == nil
      }
      XCTAssertEqual(unnamed.count, 0, "\(document): a Swift block has no name, so nothing checks it")
    }
    XCTAssertEqual(Set(run.keys).subtracting(shown).sorted(), [], "no document shows these examples")
  }

  private static func unindented(_ code: Substring) -> String {
    let lines = code.components(separatedBy: "\n")
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix(while: { $0 == " " }).count }
    return lines.map { String($0.dropFirst(indents.min() ?? 0)) }.joined(separator: "\n")
  }

  func testTheLinesOfTheMigrationTablesAreCompiled() throws {
    let lines = Set(
      try text("ConformanceTests/Tests/DocsTests/MigrationTests.swift").components(separatedBy: "\n").map {
        $0.trimmingCharacters(in: .whitespaces).replacing(#/^_ = /#, with: "")
      })
    for document in try files("md", below: "docs/migration") {
      for match in try text(document).matches(of: /\n\| (?:[^|\n]|\\\|)* \| `([^`]*)` \|(?=\n)/) {
        let line = String(match.1).replacing("\\|", with: "|")
        XCTAssertTrue(lines.contains(line), "\(document): no test has the line \(line)")
      }
    }
  }

  func testProgramsPrintWhatTheDocumentsSay() throws {
    var count = 0
    for document in try documents() {
      for match in try text(document).matches(
        of: /<!-- program -->\n```swift\n(?s)(.*?)```\n\n(?-s)((?:    .*\n)+)/)
      {
        count += 1
        let expected = String(match.2).replacing(#/(?m)^    /#, with: "")
        XCTAssertEqual(try Self.output(ofProgram: String(match.1)), expected, document)
      }
    }
    XCTAssertGreaterThan(count, 1)
  }

  /// Compiles a program with the modules of this build, and runs it.
  private static func output(ofProgram code: String) throws -> String {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: UUID().uuidString)
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let (source, program) = (folder.appending(path: "main.swift"), folder.appending(path: "program").path)
    try code.write(to: source, atomically: true, encoding: .utf8)
    var products = Bundle(for: Self.self).bundleURL
    if !manager.fileExists(atPath: products.appending(path: "Modules").path) {
      products.deleteLastPathComponent()
    }
    // The list of linked objects leaves out those of deleted files.
    let list = products.appending(path: "DynamicPromisePackageTests.product/Objects.LinkFileList")
    let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      .filter { $0.contains("/DynamicPromise.build/") }
    let modules = products.appending(path: "Modules").path
    return try output(
      ["swiftc", "-swift-version", "6", "-I", modules, source.path, "-o", program] + objects)
      + output([program])
  }

  private static func output(_ command: [String]) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  func testEveryLinkLeadsSomewhere() throws {
    for document in try files("md", below: "") {
      let folder = Self.root.appending(path: document).deletingLastPathComponent()
      let text = try text(document).replacing(#/(?ms)^```.*?^```/#, with: "").replacing(/`[^`\n]*`/, with: "")
      for match in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]+))?\)/)
      where !match.1.contains(":") {
        let target = match.1.isEmpty ? document : nil
        let file = target.map { Self.root.appending(path: $0) } ?? folder.appending(path: String(match.1))
        XCTAssertTrue(
          FileManager.default.fileExists(atPath: file.path), "\(document): there is no \(match.1)")
        guard let anchor = match.2, let linked = try? String(contentsOf: file, encoding: .utf8) else {
          continue
        }
        let headings = linked.matches(of: /(?m)^#+ (.*)$/).map { Self.anchor(of: $0.1) }
        XCTAssertTrue(headings.contains(String(anchor)), "\(document): \(match.1) has no heading #\(anchor)")
      }
    }
  }

  /// The anchor of a heading, as GitHub makes it.
  private static func anchor(of heading: Substring) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      .replacing(" ", with: "-")
  }
}
