import Foundation
import XCTest

/// `Future` has every operator of `Promise` that a consumer may use, in every shape: its files are made from those of the
/// promise, so that neither can be changed without the other.
final class FutureSurfaceTests: XCTestCase {
  private static let families = [
    "Promise+Then", "Promise+ThenOn", "Promise+ThenOnMain", "Promise+Catch", "Promise+CatchOn",
    "Promise+CatchOnMain", "Promise+Finally", "Promise+Async", "Promise+AsyncAny",
    "Promise+AsyncPairs", "Promise+CatchAny",
    "Concurrency/Promise+ThenOnActor",
    "Concurrency/Promise+ThenOnActorAsync", "Concurrency/Promise+CatchOnActor",
    "Concurrency/Promise+FinallyOnActor", "Concurrency/Promise+BesideActor",
    "Concurrency/Promise+BesideActorAny", "Concurrency/Promise+ContextActor",
  ]

  /// Files of operators that are written by hand on both faces, or that make promises and have no receiver.
  private static let others: Set = [
    "Promise+Making", "Promise+Settling", "Promise+State", "Promise+Tree", "Promise+Unhandled",
    "Promise+Waiting", "Concurrency/Promise+Results", "Concurrency/Promise+Value",
  ]

  // Spec: H8.1
  func testFamiliesAreThoseOfThePromise() throws {
    for source in Self.families {
      let family = String(source.split(separator: "+")[1])
      let path = "Sources/DynamicPromise/Future/Future+\(family).swift"
      let wanted = Self.face(of: try ProjectFiles.text("Sources/DynamicPromise/\(source).swift"), family)
      if ProcessInfo.processInfo.environment["UPDATE_FUTURE"] == "1" {
        try wanted.write(to: ProjectFiles.root.appending(path: path), atomically: true, encoding: .utf8)
      }
      let found = try ProjectFiles.text(path)
      XCTAssertEqual(Self.words(found), Self.words(wanted), "\(path): UPDATE_FUTURE=1 makes it anew")
      XCTAssertTrue(found.contains("-> Future"))
    }
  }

  // Spec: H8.1
  /// A new file of operators is either made into one of the future's, or stands among those that are not.
  func testNoFileIsForgotten() throws {
    for folder in ["", "Concurrency/"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: ProjectFiles.root.appending(path: "Sources/DynamicPromise/\(folder)").path)
      let found = names.filter { $0.hasPrefix("Promise+") }.map { folder + $0.dropLast(".swift".count) }
      XCTAssertEqual(Set(found).subtracting(Self.families).subtracting(Self.others), [])
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
