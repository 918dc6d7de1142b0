import Foundation
import XCTest

@testable import conformance

/// The built `conformance` as a process: its output and its exit status.
final class ProcessTests: XCTestCase {
  func testHelpIsPrintedOnStandardOutput() throws {
    let result = try RunningProcess(["--help"]).result()
    XCTAssertEqual(result.status, 0)
    XCTAssertEqual(result.output, Arguments.helpText)
    XCTAssertEqual(result.error, "")
  }

  func testNonsenseEndsWith64AndAMessageOnStandardError() throws {
    for words in [
      ["--format", "tap"], ["--context", "nowhere"], ["--clause", "2.9"], ["--case", "0"],
      ["--programs", "0"], ["extra"],
    ] {
      let result = try RunningProcess(words).result()
      XCTAssertEqual(result.status, 64, "\(words)")
      XCTAssertEqual(result.output, "", "\(words)")
      XCTAssertTrue(result.error.hasPrefix("conformance: "), result.error)
      XCTAssertTrue(result.error.contains(words.last!), result.error)
    }
  }

  func testAReportThatCannotBeWrittenEndsWith74() throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { throw XCTSkip("there is no /dev/full") }
    let words = ["--case", "1", "--context", "serial"]
    for words in [["--help"], words, ["--programs", "1"]] {
      let result = try RunningProcess(words, output: full).result()
      XCTAssertEqual(result.status, 74, "\(words)")
      XCTAssertTrue(result.error.contains("conformance: the report cannot be written"), result.error)
    }
    let result = try RunningProcess(words, error: full).result()
    XCTAssertEqual(result.status, 0)
    XCTAssertTrue(result.output.hasSuffix(": everything ended as declared\n"), result.output)
  }

  func testARunOnEveryContextWritesItsReport() throws {
    let result = try RunningProcess(["--case", "1"]).result()
    XCTAssertEqual(result.status, 0, result.output)
    XCTAssertTrue(result.error.contains("\nserial: 2.1.2.1/1\n"), result.error)
    for name in [
      "default", "serial", "barrier", "reading", "main", "main-actor", "serial-tree", "custom", "immediate",
      "operations", "operations-wide", "run-loop", "thread",
    ] { XCTAssertNotNil(result.output.firstMatch(of: try Regex("(^|\n) +[0-9]+  \(name)  ")), name) }
  }

  func testCtrlCPrintsWhatIsKnownSoFar() throws {
    let output = try outputOfInterrupted([], at: "%")
    XCTAssertTrue(output.contains("\nIncomplete on default: "), output)
    XCTAssertTrue(output.contains(": interrupted\n"), output)
  }

  /// The number of programs that have run when the signal arrives depends on the machine.
  func testCtrlCPrintsTheProgramsThatHold() throws {
    let output = try outputOfInterrupted(["--programs", "9000000000000000000"], at: "random programs")
    let known =
      #/(no random program ran\n|\d+ random programs? holds? \(\d+ a second\), .*\n)?interrupted\n/#
    XCTAssertNotNil(output.wholeMatch(of: known), output)
  }

  func testAFileNamesTheCaseThatOverflowedTheStack() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    XCTAssertTrue(FileManager.default.createFile(atPath: file.path, contents: nil))
    defer { try? FileManager.default.removeItem(at: file) }
    let error = try FileHandle(forWritingTo: file)
    let result = try RunningProcess([], program: "crashing", error: error).result()
    XCTAssertNotEqual(result.status, 0)
    XCTAssertEqual(result.output, "", "it ended without a report")
    let ids = "2.2.5/1 2.2.5/2 2.2.5/3 2.2.5/4 2.3.1+ring-of-2"
    let text = try String(contentsOf: file, encoding: .utf8)
    // The runtime may add a backtrace.
    XCTAssertTrue(text.hasPrefix(ids) && !text.hasPrefix(ids + " "), text)
  }

  func testProgressThatCannotBeWrittenEndsNoRun() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    for error in [pipe.fileHandleForWriting, FileHandle(forWritingAtPath: "/dev/full")].compactMap({ $0 }) {
      for (words, program) in [(["progress"], "crashing"), (["--case", "1"], "conformance")] {
        let result = try RunningProcess(words, program: program, error: error).result()
        XCTAssertEqual(result.status, 0, program)
        XCTAssertTrue(result.output.contains("everything ended as declared"), result.output)
      }
    }
  }

  func testACrashNamesTheSeedOfTheProgram() throws {
    let crashes: [(String, UInt64)] = [
      ("overflow", 2), ("trap", 3), ("trap-on-threads", 3), ("signal", 3),
      ("abort-elsewhere", 3),
    ]
    for (crash, seed) in crashes {
      let result = try RunningProcess([crash], program: "crashing").result()
      XCTAssertNotEqual(result.status, 0, crash)
      XCTAssertEqual(result.output, "", crash)
      let note = "\nrandom programs: the process crashes in the program of seed "
      XCTAssertTrue(result.error.contains("\(note)\(seed)\n"), "\(crash): \(result.error)")
    }
  }
}
