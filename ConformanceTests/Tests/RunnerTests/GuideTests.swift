import Foundation
import XCTest

/// Follows the guide of ../README.md in a copy of the template. Each command must print the lines that the
/// page shows.
final class GuideTests: XCTestCase {
  func testTheGuidePrintsWhatThePageShows() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: copy) }
    try FileManager.default.copyItem(at: root.appending(path: "Template"), to: copy)
    // Removes the copied build, because its paths would prevent a build of the copy.
    try? FileManager.default.removeItem(at: copy.appending(path: ".build"))
    try edit(copy, "Package.swift", #""../..""#, "\"\(root.deletingLastPathComponent().path)\"")

    try assert(try test(copy), shows: try blocks(guide, step: 2)[0])

    let (adapter, first) = ("Tests/TinyPromiseTests/TinyAdapter.swift", "TinyPromise.Context? = ")
    let red = try blocks(guide, step: 3)
    XCTAssertEqual(red[0], ["var context: \(first)nil"])
    try edit(copy, adapter, "\(first)TinyPromise.onQueue", "\(first)nil")
    let sections = try assert(try test(copy, fails: true), shows: red[1])
    XCTAssertEqual(sections.count { $0.hasPrefix("✗  ") }, 3, "two more sections fail")

    try edit(copy, adapter, "\(first)nil", "\(first)TinyPromise.onQueue")
    let body = "{ settle(.fulfilled(value)) }"
    XCTAssertTrue(guide.contains("the body is\n`\(body)`") || guide.contains("the body is `\(body)`"))
    try edit(copy, "Sources/TinyPromise/TinyPromise.swift", "{ if claim() \(body) }", body)
    try assert(try test(copy, fails: true), shows: try blocks(guide, step: 4)[0])
  }

  /// Returns the indented blocks of a step, without indentation and empty lines.
  private func blocks(_ guide: String, step: Int) throws -> [[Substring]] {
    let begin = try XCTUnwrap(guide.range(of: "\n**\(step). ")).upperBound
    let end = try XCTUnwrap(guide.range(of: "\n**\(step + 1). ")).lowerBound
    let lines = guide[begin..<end].split(separator: "\n")
    var blocks: [[Substring]] = [[]]
    for line in lines {
      if line.hasPrefix("    ") {
        blocks[blocks.count - 1].append(line.dropFirst(4))
      } else {
        blocks.append([])
      }
    }
    return blocks.filter { !$0.isEmpty }
  }

  /// Fails unless the output has these lines in this order. `...` stands for any text. Times differ.
  @discardableResult
  private func assert(_ output: String, shows expected: [Substring]) throws -> [String] {
    func normal(_ line: some StringProtocol) -> String {
      String(line).replacing(#/[0-9.]+ s$|[0-9]+ a second/#, with: "TIME")
    }
    let lines = output.split(separator: "\n").map(normal)
    var rest = lines[...]
    for line in expected.map(normal) where line != "..." {
      let isShown = { (candidate: String) in
        line.hasSuffix(" ...") ? candidate.hasPrefix(line.dropLast(3)) : candidate == line
      }
      guard let place = rest.firstIndex(where: isShown) else {
        XCTFail("'\(line)' is missing here:\n\(rest.joined(separator: "\n"))")
        return lines
      }
      rest = rest[(place + 1)...]
    }
    return lines
  }

  private func edit(_ folder: URL, _ file: String, _ old: String, _ new: String) throws {
    let url = folder.appending(path: file)
    let text = try String(contentsOf: url, encoding: .utf8)
    XCTAssertEqual(text.ranges(of: old).count, 1, "\(old) in \(file)")
    try text.replacing(old, with: new).write(to: url, atomically: true, encoding: .utf8)
  }

  /// Runs `swift test`, and returns its standard output.
  private func test(_ folder: URL, fails: Bool = false) throws -> String {
    let result = try RunningProcess(
      ["swift", "test", "--package-path", folder.path], program: "/usr/bin/env", directory: folder
    ).result(seconds: 600)
    XCTAssertEqual(result.status, fails ? 1 : 0, result.error)
    return result.output
  }
}
