import Foundation
import PromisesAPlusSuite
import RunnerKit
import XCTest

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
    let cases = try RunningProcess(["--reference", "node", "--format", "json", "--deadline", "5"])
    let programs = try RunningProcess(["--reference", "node", "--programs", "300", "--seed", "1000000"])
    let result = try cases.result()
    XCTAssertEqual(result.status, 0, result.output)
    let report = try parsed(result.output)
    XCTAssertEqual((report["officialCounts"] as? [String: Int])?["passed"], 868)
    let chapters = try XCTUnwrap(report["chapterCounts"] as? [String: [String: Int]])
    XCTAssertGreaterThanOrEqual(try XCTUnwrap(chapters["combinators"]?["passed"]), 74)

    let ran = try programs.result()
    XCTAssertEqual(ran.status, 0, ran.output)
    XCTAssertTrue(ran.output.hasPrefix("300 random programs hold ("), ran.output)
  }

  /// The engine's threads must not receive the signal. The engine must run until the report is printed.
  func testCtrlCPrintsWhatIsKnownSoFar() throws {
    guard (try? Reference("node")) != nil else { throw XCTSkip("there is no node on the path") }
    for (words, sign) in [
      (["--programs", "9000000000000000000"], "random programs"),
      (["--clause", "2.1", "--repeat", "1000000"], "%"),
    ] {
      let output = try outputOfInterrupted(["--reference", "node", "--format", "json"] + words, at: sign)
      XCTAssertEqual(try parsed(output)["verdict"] as? String, "interrupted", output)
    }
  }
}
