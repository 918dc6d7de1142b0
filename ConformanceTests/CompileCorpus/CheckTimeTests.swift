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
    for steps in [5, 10, 20] {
      let file = folder.appending(path: "Chain\(steps).swift")
      try Self.chain(of: steps).write(to: file, atomically: true, encoding: .utf8)
      let output = try Compiler.typecheck([file], ["-Xfrontend", "-debug-time-function-bodies"])
      XCTAssertEqual(Compiler.diagnostics(in: output).map(\.message), [])
      let slowest = try XCTUnwrap(Self.milliseconds(in: output).max(), "no times in: \(output)")
      print("type-checking \(steps) unannotated steps: \(slowest) ms")
    }
  }

  /// Steps of several kinds in turn, in one expression.
  private static func chain(of steps: Int) -> String {
    let kinds = [
      "then { $0 as! Int + 1 }", "then { value in value }", "then { _ in Promise.resolved(1) }",
      "then { _ in }", "catch { _ in 2 }",
    ]
    let calls = (0..<steps).map { "    .\(kinds[$0 % kinds.count])" }.joined(separator: "\n")
    return "import DynamicPromise\n\nfunc chain(promise: Promise) -> Promise {\n  promise\n\(calls)\n}\n"
  }

  private static func milliseconds(in output: String) -> [Double] {
    output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^([0-9.]+)ms\s/).flatMap { Double($0.1) }
    }
  }
}
