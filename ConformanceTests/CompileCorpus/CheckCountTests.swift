import Foundation
import XCTest

/// The type checker's cost for chains of closures, in scopes of its constraint solver. Unlike times, scopes
/// depend only on the compiler. `.ci/face` fails if a figure exceeds its value in
/// `.ci/face-figures`.
final class CheckCountTests: XCTestCase {
  // Spec: H7.4
  /// With one overload too many, a closure with arithmetic needs a hundred thousand scopes instead of forty.
  func testArithmeticCostsAtMostThreeTimesWhatOneOverloadCosts() throws {
    for name in ["OneStep", "OneStepOnMain", "TenSteps", "TenStepsOnMain"] {
      let checked = try Compiler.check([Self.file(name)])
      XCTAssertEqual(Compiler.diagnostics(in: checked.output).map(\.message), [], name)
      let least = try Self.scopesWithOneOverload(name)
      XCTAssertGreaterThan(least, 20, "\(name): nothing was counted")
      XCTAssertLessThanOrEqual(checked.scopes, 3 * least, name)
      print("type-checking \(name): \(checked.scopes) scopes, with one overload \(least)")
    }
  }

  // Spec: H7.4
  /// Tests each family of operators, alone and beside others. In an ambiguous family, arithmetic needs a
  /// hundred thousand scopes.
  func testArithmeticInEveryFamily() throws {
    let checked = try Compiler.check([Self.file("EveryFamily")])
    XCTAssertEqual(Compiler.diagnostics(in: checked.output).map(\.message), [])
    XCTAssertLessThan(checked.scopes, Self.most(2_000, 100_000))
  }

  // Spec: H7.5
  func testAMistakeIsReportedInItsStep() throws {
    for name in ["TypoInTen", "TypoInTenOnMain", "WrongMemberInTen"] {
      let file = Self.file(name)
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let wrong = try XCTUnwrap(lines.firstIndex { $0.contains("// error: ") })
      let checked = try Compiler.check([file])
      let found = Compiler.diagnostics(in: checked.output)
      XCTAssertEqual(found.map(\.line), [wrong + 1], "\(name): \(found)")
      XCTAssertEqual(found.map(\.message), [lines[wrong].components(separatedBy: "// error: ")[1]], name)
      // The figure must be below a million scopes, where the compiler gives up.
      XCTAssertLessThan(checked.scopes, Self.most(10_000, 1_000_000), name)
    }
  }

  // Spec: H7.4
  func testUnannotatedSteps() throws {
    let checked = try Compiler.check([Self.file("Unannotated")])
    XCTAssertEqual(Compiler.diagnostics(in: checked.output).map(\.message), [])
    XCTAssertLessThanOrEqual(checked.scopes, Self.most(20 * 15, 20 * 17))
    print("type-checking 20 unannotated steps: \(checked.scopes) scopes")
  }

  // Spec: H7.4
  func testChainsOfEveryKindOfStep() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, kinds) in Self.families {
      for steps in [5, 20] {
        let file = folder.appending(path: "Chain\(steps).swift")
        try Self.chain(of: steps, kinds).write(to: file, atomically: true, encoding: .utf8)
        let checked = try Compiler.check([file])
        XCTAssertEqual(Compiler.diagnostics(in: checked.output).map(\.message), [], name)
        XCTAssertLessThanOrEqual(checked.scopes, steps * 60, "\(steps) steps\(name)")
        print("type-checking \(steps) unannotated steps\(name): \(checked.scopes) scopes")
      }
    }
  }

  /// The limit for this compiler. The solver of Swift 6.0 needs more scopes: 690 in `OneStep` with one
  /// overload, and up to 660,000 for a mistake in a chain of ten.
  private static func most(_ scopes: Int, _ withSwift60: Int) -> Int {
    #if compiler(<6.1)
      withSwift60
    #else
      scopes
    #endif
  }

  private static func file(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Checking/\(name).swift")
  }

  /// The scopes of the named file if `then` has only one overload.
  private static func scopesWithOneOverload(_ name: String) throws -> Int {
    let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: copy) }
    try String(contentsOf: file(name), encoding: .utf8)
      .replacing("import DynamicPromise\n", with: "")
      .write(to: copy, atomically: true, encoding: .utf8)
    return try Compiler.check([copy, file("OneOverload")]).scopes
  }

  private static let families = [
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
        "thenOn(desk) { $1 }", "catchOn(desk) { desk, _ in desk.count }",
        "thenOn(desk) { _, value in value }", "finallyOn(desk) { $0.count += 1 }",
        "catchOn(desk) { _, reason in await Task.yield(); throw reason }",
      ]
    ),
    (
      " without inputs",
      [
        "then { 1 }", "then { nil }", "catchOn(.shared) {}", "thenOnMain { 2 }", "catchOnMain { 4 }",
        "thenOn(.main) { 3 }", "catch { await Task.yield() }",
      ]
    ),
    (
      " of two handlers",
      [
        "then({ (number: Int) in number }, nil)", "then({ $0 }, { _ in 2 })",
        "then({ (number: Int) in number }, { _ -> Any? in nil })", "then(nil, { _ in 2 })",
        "then({ $0 }, nil)",
        "thenOnMain({ (number: Int) in number }, { _ in 2 })",
        "thenOn(.main, { _ in await Task.yield() }, nil)",
      ]
    ),
  ]

  /// A chain in one expression, which repeats the steps in `kinds`.
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
}
