import Foundation
import XCTest

/// How long the type-checker takes for chains of closures without annotations. Printed, not judged: times depend on
/// the machine. That each chain compiles at all is judged.
final class CheckTimeTests: XCTestCase {
  // Spec: H7.4
  func testUnannotatedChains() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, kinds) in Self.families {
      for steps in [5, 10, 20] {
        let file = folder.appending(path: "Chain\(steps).swift")
        try Self.chain(of: steps, kinds).write(to: file, atomically: true, encoding: .utf8)
        let output = try Compiler.typecheck([file], ["-Xfrontend", "-debug-time-function-bodies"])
        XCTAssertEqual(Compiler.diagnostics(in: output).map(\.message), [])
        let slowest = try XCTUnwrap(Self.milliseconds(in: output).max(), "no times in: \(output)")
        print("type-checking \(steps) unannotated steps\(name): \(slowest) ms")
      }
    }
  }

  private static let families = [
    (
      "",
      [
        "then { $0 as! Int + 1 }", "then { value in value }", "then { _ in Promise.resolved(1) }",
        "then { _ in }", "catch { _ in 2 }",
      ]
    ),
    (
      " on contexts",
      [
        "thenOn(.shared) { $0 as! Int + 1 }", "thenOn(.main) { value in value }",
        "catchOn(.shared) { _ in Promise.resolved(1) }", "thenOn(.main, { $0 }, { _ in 2 })",
        "finallyOn(.shared) {}",
      ]
    ),
    (
      " on an actor",
      [
        "thenOn(desk) { $1 as! Int + $0.count }", "thenOn(desk) { desk, value in await desk.keep(value) }",
        "thenOn(desk) { $0 }", "catchOn(desk) { desk, _ in desk.count }",
        "thenOn(desk, { _, value in value }, { _, _ in 2 })", "finallyOn(desk) { $0.count += 1 }",
        "catchOn(desk) { _, reason in await Task.yield(); throw reason }",
      ]
    ),
    (
      " without inputs",
      [
        "then { 1 }", "catch { nil }", "catchOn(.shared) {}", "thenOnMain { 2 }", "catchOnMain { nil }",
        "thenOn(.main) { 3 }", "catch { await Task.yield() }",
      ]
    ),
    (
      " of two handlers",
      [
        "then({ (number: Int) in number }, nil)", "then({ $0 }, { _ in 2 })",
        "then({ (number: Int) in number }, { _ in nil })", "then(nil, { _ in 2 })", "then({ $0 }, nil)",
        "thenOnMain({ (number: Int) in number }, { _ in 2 })",
        "thenOn(.main, { _ in await Task.yield() }, nil)",
      ]
    ),
  ]

  /// Steps of several kinds in turn, in one expression.
  private static func chain(of steps: Int, _ kinds: [String]) -> String {
    let calls = (0..<steps).map { "    .\(kinds[$0 % kinds.count])" }.joined(separator: "\n")
    return """
      import DynamicPromise

      actor Desk {
        var count = 0
        func keep(_ value: Any) async -> Any { value }
      }

      func chain(promise: Promise, desk: Desk) -> Promise {
        promise
      \(calls)
      }
      """
  }

  private static func milliseconds(in output: String) -> [Double] {
    output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^([0-9.]+)ms\s/).flatMap { Double($0.1) }
    }
  }
}
