import Foundation
import PromisesAPlusSuite
import RunnerKit
import XCTest

/// `--reference`: the suite on the promises of a JavaScript engine.
final class ReferenceTests: XCTestCase {
  func testAnEngineThatIsNotThereIsAUsageError() {
    XCTAssertThrowsError(try Reference("no-such-engine", environment: ["PATH": "/usr/bin:/bin"])) { error in
      XCTAssertEqual("\(error)", "--reference: there is no 'no-such-engine' on the path")
    }
  }

  func testAProgramThatIsNoEngineIsAUsageError() {
    XCTAssertThrowsError(try Reference("true")) { error in
      XCTAssertEqual("\(error)", "--reference: true is no JavaScript engine that is known")
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
    let report = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
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
      let terminal = try PseudoTerminal()
      let process = try RunningProcess(
        ["--reference", "node", "--format", "json"] + words, error: terminal.slave)
      XCTAssertTrue(terminal.waits(for: sign, seconds: 60), "no progress was drawn")
      process.interrupt()
      let result = try process.result()
      XCTAssertEqual(result.status, 130)
      let root = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
      XCTAssertEqual(root?["verdict"] as? String, "interrupted", result.output)
    }
  }
}
