import Foundation
import XCTest

@testable import conformance

/// `--reference`: the suite on the promises of a JavaScript engine.
final class ReferenceTests: XCTestCase {
  func testWhatIsNoEngineIsAUsageError() {
    for (name, message) in [
      ("no-such-engine", "there is no 'no-such-engine' on the path"),
      ("true", "true is no JavaScript engine that is known"),
    ] { XCTAssertThrowsError(try Reference(name)) { XCTAssertEqual("\($0)", "--reference: \(message)") } }
  }

  /// Runs all cases, and programs with seeds that a manual run does not use. The deadline is the suite's
  /// default, because three rings each wait for a tenth of the deadline.
  func testTheEngineAgrees() throws {
    guard (try? Reference("node")) != nil else { throw XCTSkip("there is no node on the path") }
    let cases = try RunningProcess(["--reference", "node", "--format", "junit", "--deadline", "30"])
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

  // MARK: Engines that misbehave

  /// Starts a run on an engine that is a shell script. The script writes its process id to a file.
  private func run(_ script: String) throws -> (process: RunningProcess, engine: pid_t) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    addTeardownBlock { try FileManager.default.removeItem(at: folder) }
    let (engine, id) = (folder.appending(path: "engine"), folder.appending(path: "id"))
    try "#!/bin/sh\necho $$ >\(id.path)\n\(script)\n".write(to: engine, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: engine.path)
    let process = try RunningProcess(["--reference", engine.path])
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      let text = (try? String(contentsOf: id, encoding: .utf8)) ?? ""
      if text.hasSuffix("\n"), let number = pid_t(text.dropLast()) { return (process, number) }
      usleep(10_000)
    }
    throw CocoaError(.fileReadUnknown)
  }

  /// Whether a process ends within a minute. A dead process without a parent may stay a zombie.
  private func ends(_ process: pid_t) -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      if kill(process, 0) != 0 || status?.contains("State:\tZ") == true { return true }
      usleep(10_000)
    }
    return false
  }

  func testCtrlCEndsAnEngineThatNeverGreets() throws {
    let (process, engine) = try run("exec sleep 300")
    process.interrupt()
    XCTAssertEqual(try process.result().status, 130)
    XCTAssertTrue(ends(engine))
  }

  func testAnEngineThatEndsOrTalksNonsenseStillGivesAReport() throws {
    let hello = #"echo '["hello","v\u001b[31m1"]'"#
    for rest in ["", "echo nonsense\nexec sleep 300", "echo '[\"call\",0,1,99,[]]'\nexec sleep 300"] {
      let (process, engine) = try run(hello + "\n" + rest)
      let result = try process.result()
      XCTAssertEqual(result.status, 1, result.error)
      XCTAssertTrue(result.output.contains("the JavaScript engine has ended"), result.output + result.error)
      XCTAssertFalse(result.output.contains("\u{1B}"), result.output)
      XCTAssertTrue(ends(engine))
    }
  }
}
