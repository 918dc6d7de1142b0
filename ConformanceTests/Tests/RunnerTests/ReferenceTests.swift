import Foundation
import XCTest

@testable import conformance

/// `--reference`: the suite on the promises of a JavaScript engine.
final class ReferenceTests: XCTestCase {
  func testWhatIsNoEngineIsAUsageError() {
    for (name, message) in [
      ("no-such-engine", "there is no 'no-such-engine' on the path"),
      ("true", "true is no JavaScript engine that is known"),
    ] {
      XCTAssertThrowsError(try Reference(name)) { XCTAssertEqual("\($0)", "--reference: \(message)") }
    }
  }

  /// Runs all cases, and programs with seeds that a manual run does not use. The deadline is the suite's
  /// default, because three rings each wait for a tenth of the deadline.
  func testTheEngineAgrees() throws {
    guard (try? Reference("node")) != nil else { throw XCTSkip("there is no node on the path") }
    let cases = try RunningProcess(["--reference", "node", "--format", "junit", "--deadline", "5"])
    let programs = try RunningProcess(["--reference", "node", "--programs", "300", "--seed", "1000000"])
    let result = try cases.result()
    XCTAssertEqual(result.status, 0, result.output)
    XCTAssertTrue(result.output.contains(#"name="official" value="868 passed"#), result.output)
    let combinators = try XCTUnwrap(result.output.firstMatch(of: #/name="combinators" value="(\d+) passed/#))
    XCTAssertGreaterThanOrEqual(Int(combinators.1) ?? 0, 74)

    let ran = try programs.result()
    XCTAssertEqual(ran.status, 0, ran.output)
    XCTAssertTrue(ran.output.hasPrefix("300 random programs hold ("), ran.output)
  }

  /// The engine's threads must not receive the signal. The engine must run until the report is printed.
  func testCtrlCPrintsWhatIsKnownSoFar() throws {
    guard (try? Reference("node")) != nil else { throw XCTSkip("there is no node on the path") }
    for (words, sign) in [
      (["--programs", "9000000000000000000"], "random programs"),
      ([], "%"),
    ] {
      let output = try outputOfInterrupted(["--reference", "node"] + words, at: sign)
      XCTAssertTrue(output.contains("interrupted\n"), output)
    }
  }
}
