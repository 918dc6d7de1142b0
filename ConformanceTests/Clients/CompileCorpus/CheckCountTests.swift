import Foundation
import XCTest

/// The type checker's cost for chains of closures, in scopes of its constraint solver. Unlike times, scopes
/// depend only on the compiler.
final class CheckCountTests: XCTestCase {
  private static let step = "then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }"
  private static let stepOnMain = "thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }"

  /// With one overload too many, a closure with arithmetic needs a hundred thousand scopes instead of forty.
  // Spec: H7.4
  func testArithmeticCostsAtMostThreeTimesWhatOneOverloadCosts() throws {
    for (name, step, count) in [
      ("OneStep", Self.step, 1), ("OneStepOnMain", Self.stepOnMain, 1), ("TenSteps", Self.step, 10),
      ("TenStepsOnMain", Self.stepOnMain, 10),
    ] {
      let chain = Self.chain(of: Array(repeating: step, count: count))
      let checked = try Self.check(name, chain)
      XCTAssertEqual(checked.diagnostics.map(\.message), [], name)
      let least = try Compiler.check(
        Self.text("OneOverload") + chain.replacing("import DynamicPromise\n", with: "")
      ).scopes
      XCTAssertGreaterThan(least, 20, "\(name): nothing was counted")
      XCTAssertLessThanOrEqual(checked.scopes, 3 * least, name)
    }
  }

  /// Tests each family of operators, alone and beside others. In an ambiguous family, arithmetic needs a
  /// hundred thousand scopes. In a step without annotations, only one overload is tried.
  // Spec: H7.4
  func testArithmeticInEveryFamily() throws {
    let checked = try Self.check("EveryFamily", Self.text("EveryFamily"))
    XCTAssertEqual(checked.diagnostics.map(\.message), [])
    XCTAssertLessThan(checked.scopes, Self.most(2_000, 100_000))
    let plain = try Self.check("TwentySteps", Self.chain(of: Array(repeating: "then { $0 }", count: 20)))
    XCTAssertLessThan(plain.scopes, Self.most(300, 5_000))
  }

  // Spec: H7.5
  func testAMistakeIsReportedInItsStep() throws {
    let withTypo = { (step: String) in step.replacing("+ Double(n)", with: "+ Double(m)") }
    for (name, step, mistake, message) in [
      ("TypoInTen", Self.step, withTypo(Self.step), "cannot find 'm' in scope"),
      ("TypoInTenOnMain", Self.stepOnMain, withTypo(Self.stepOnMain), "cannot find 'm' in scope"),
      (
        "WrongMemberInTen", Self.step, "then { (n: Int) in n.nonsense }",
        "value of type 'Int' has no member 'nonsense'"
      ),
    ] {
      var steps = Array(repeating: step, count: 10)
      steps[4] = mistake
      let checked = try Self.check(name, Self.chain(of: steps))
      let found = checked.diagnostics
      XCTAssertEqual(found.map(\.line), [Self.firstLine + 4], "\(name): \(found)")
      XCTAssertEqual(found.map(\.message), [message], name)
      // The figure must be below a million scopes, where the compiler gives up.
      XCTAssertLessThan(checked.scopes, Self.most(10_000, 1_000_000), name)
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

  private static func text(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: "Checking/\(name).swift"), encoding: .utf8)
  }

  private static func check(_ name: String, _ source: String) throws -> Compiler.Checked {
    let checked = try Compiler.check(source)
    print("type-checking \(name): \(checked.scopes) scopes")
    return checked
  }

  /// The line of a chain's first step.
  private static let firstLine = 5

  /// A function with a chain in one expression.
  private static func chain(of steps: [String], _ parameters: String = "promise: Promise") -> String {
    """
    import DynamicPromise

    func chain(\(parameters)) {
      promise
    \(steps.map { "    .\($0)" }.joined(separator: "\n"))
    }

    """
  }
}
