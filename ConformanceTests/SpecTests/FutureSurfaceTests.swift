import Foundation
import XCTest

/// `Future` has every operator of `Promise` that a consumer may use, in every shape: its files are made from those of the
/// promise, so that neither can be changed without the other.
final class FutureSurfaceTests: XCTestCase {
  private static let families = [
    "Then", "ThenOn", "ThenOnMain", "Catch", "CatchOn", "CatchOnMain", "Finally", "Async",
  ]

  // Spec: H8.1
  func testFamiliesAreThoseOfThePromise() throws {
    for family in Self.families {
      let path = "Sources/DynamicPromise/Future/Future+\(family).swift"
      let wanted = Self.face(
        of: try ProjectFiles.text("Sources/DynamicPromise/Promise+\(family).swift"), family)
      if ProcessInfo.processInfo.environment["UPDATE_FUTURE"] == "1" {
        try wanted.write(to: ProjectFiles.root.appending(path: path), atomically: true, encoding: .utf8)
      }
      let found = try ProjectFiles.text(path)
      XCTAssertEqual(Self.words(found), Self.words(wanted), "\(path): UPDATE_FUTURE=1 makes it anew")
      XCTAssertTrue(found.contains("-> Future"))
    }
  }

  func testChangesOnEitherSideShow() throws {
    let source = "// x\n\nextension Promise {\n  func f() -> Promise { g() }\n}\n\nextension Wrap {}\n"
    XCTAssertTrue(
      Self.face(of: source, "X").hasSuffix("extension Future {\n  func f() -> Future { g() }\n}\n"))
    XCTAssertNotEqual(
      Self.words("extension Future { func f() }"), Self.words("extension Future { func g() }"))
  }

  /// A file of operators, for the future; helpers that stand behind them are shared.
  private static func face(of source: String, _ family: String) -> String {
    var text = source.replacingOccurrences(of: "extension Promise {", with: "extension Future {")
    text = text.replacingOccurrences(of: "-> Promise", with: "-> Future")
    if let helpers = text.range(of: "\n\nextension Wrap {") { text = text[..<helpers.lowerBound] + "\n" }
    let body =
      text.range(of: "\nimport ").map { text[$0.lowerBound...] }
      ?? text.range(of: "\nextension Future {").map { text[$0.lowerBound...] } ?? ""
    return "// Made from `Promise+\(family).swift`: the same operators, on the read-only face.\n" + body
  }

  /// Line breaks are the formatter's.
  private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}
