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

  /// What settles, and the way to the future itself.
  private static let promisesOnly: Set = ["fulfill", "reject", "resolve", "bind", "future"]

  // Spec: H8.1
  /// Neither is a member written by hand, in whichever library: there are as many of each name on both faces.
  func testNoMemberIsForgotten() throws {
    let sources = try ProjectFiles.texts(in: "Sources", extension: "swift").map(\.text)
    let promises = Self.members(of: "Promise", in: sources)
    let futures = Self.members(of: "Future", in: sources)
    XCTAssertEqual(promises["runLoopWait"], 2)
    XCTAssertEqual(promises["value"], 3)
    for (name, count) in promises where !Self.promisesOnly.contains(name) {
      XCTAssertEqual(futures[name, default: 0], count, "\(name), on the future and on the promise")
    }
  }

  /// The names of a type's public instance members, each with how many there are; types inside of it are not looked into.
  private static func members(of type: String, in sources: [String]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for source in sources {
      var (depth, isInside) = (0, false)
      for line in source.split(separator: "\n") {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("#if ") { depth += 1 }
        if text.hasPrefix("#endif") { depth -= 1 }
        if text.hasPrefix("#") || text.hasPrefix("//") { continue }
        let level = (line.count - text.count) / 2 - depth
        if level == 0, !text.hasPrefix("}") {
          let words = text.split { !$0.isLetter && $0 != "." }
          let keyword = words.firstIndex { $0 == "extension" || $0 == "class" || $0 == "struct" }
          isInside = keyword.map { words.dropFirst($0 + 1).first == type[...] } ?? false
        } else if level == 1, isInside, text.hasPrefix("public "), let name = text.firstMatch(of: member) {
          counts[String(name.1), default: 0] += 1
        }
      }
    }
    return counts
  }

  private static var member: Regex<(Substring, Substring)> {
    /^public (?:nonisolated\(nonsending\) )?(?:func|var) `?(\w+)/
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
