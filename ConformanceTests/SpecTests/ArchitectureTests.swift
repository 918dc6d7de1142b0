import Foundation
import XCTest

/// Every file and name in backquotes in docs/architecture.md exists.
final class ArchitectureTests: XCTestCase {
  private static let core = "Sources/DynamicPromise"

  func testNamesAndFilesExist() throws {
    let page = try ProjectFiles.text("docs/architecture.md")
    let spans = page.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    XCTAssertGreaterThan(spans.count, 80, "most of the page was not found")
    let sources = try ProjectFiles.texts(in: Self.core, extension: "swift").map(\.text).joined()
    assertNone(spans.compactMap { problem($0, sources) })
  }

  func testAMissingNameIsFound() {
    XCTAssertNotNil(problem("noSuchFunction", "func other() {}"))
    XCTAssertNotNil(problem("Machine/NoSuchFile.swift", ""))
    XCTAssertNil(problem("Turn.drain", "struct Turn { func drain() {} }"))
  }

  /// The problem with a span. It is `nil` if there is no problem, or if the span is neither a path nor a
  /// name.
  private func problem(_ span: String, _ sources: String) -> String? {
    if span.hasSuffix(".swift") || span.hasSuffix("/") {
      let places = ["\(Self.core)/\(span)", span].map { ProjectFiles.root.appending(path: $0).path }
      return places.contains { FileManager.default.fileExists(atPath: $0) } ? nil : "no file \(span)"
    }
    if span == "deinit" { return nil }
    guard span.allSatisfy({ $0.isLetter || $0.isNumber || "._():".contains($0) }) else { return nil }
    let names = span.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    for name in names where !isDeclared(name, sources) { return "nothing is named \(name) (\(span))" }
    return nil
  }

  private func isDeclared(_ name: String, _ sources: String) -> Bool {
    let kinds = ["func", "var", "let", "case", "class", "struct", "enum", "protocol", "typealias"]
    return kinds.contains { kind in
      sources.ranges(of: "\(kind) \(name)").contains { range in
        let next = range.upperBound < sources.endIndex ? sources[range.upperBound] : " "
        return !next.isLetter && !next.isNumber && next != "_"
      }
    }
  }
}
