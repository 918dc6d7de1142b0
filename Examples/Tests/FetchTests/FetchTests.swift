import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import XCTest

extension Process {
  /// A process with the program, which is built beside the tests. The process uses no proxy, because a proxy
  /// cannot reach the loopback interface.
  static func fetch(_ arguments: [String]) -> Process {
    let process = Process()
    let near = [Bundle.main.bundleURL, Bundle(for: FetchTests.self).bundleURL.deletingLastPathComponent()]
    process.executableURL = near.map { $0.appendingPathComponent("fetch") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["no_proxy": "127.0.0.1"]) { $1 }
    return process
  }
}

/// Tests of the program with an unreliable server.
final class FetchTests: XCTestCase {
  private var server: Server!
  private var folder: URL!

  override func setUpWithError() throws {
    server = try Server()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  private func program(_ arguments: [String]) -> Process {
    let process = Process.fetch(arguments)
    // The program has its own scratch folder, so that leftover files are visible.
    let scratch = folder.appendingPathComponent(".scratch")
    try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    process.environment?["TMPDIR"] = scratch.path
    return process
  }

  private func start(_ arguments: [String]) -> Promise { program(arguments).runPromise(accepting: nil) }

  private func fetch(_ arguments: String...) -> Promise { start(["--output", folder.path] + arguments) }

  private func result(_ run: Promise) throws -> ProcessResult {
    try XCTUnwrap(run.get(timeout: patience) as? ProcessResult)
  }

  private var files: [String: Int] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != ".scratch" }
      return try Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, try Data(contentsOf: folder.appendingPathComponent($0)).count)
        })
    }
  }

  private func assertNothingIsLeftOver(line: UInt = #line) {
    let scratch = folder.appendingPathComponent(".scratch").path
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: scratch), [], line: line)
  }

  func testManyFiles() throws {
    let result = try result(
      fetch(server.url("small"), server.url("big"), server.url("moved"), server.url("again/small")))
    XCTAssertEqual(result.status, 0, result.errorText)
    XCTAssertEqual(try files, ["small": 5, "big": 500_000, "moved": 5, "small.1": 5])
    XCTAssertTrue(result.errorText.contains("4 of 4 files, 500.0 kB in "), result.errorText)
    XCTAssertFalse(result.errorText.contains("\u{1B}"), "bars appear on terminals only")
    XCTAssertEqual(result.text, "")
    assertNothingIsLeftOver()
  }

  func testFailuresAreTriedAgainWhileThereIsHope() throws {
    let result = try result(
      fetch(server.url("flaky"), server.url("missing"), server.url("broken"), server.url("cut"), "-r", "2"))
    XCTAssertEqual(result.status, 1)
    XCTAssertEqual(try files, ["flaky": 7, "cut": 5])
    XCTAssertEqual(server.visits(of: "flaky"), 3)
    XCTAssertEqual(server.visits(of: "broken"), 3)
    XCTAssertEqual(server.visits(of: "missing"), 1, "status 404 is not retried")
    XCTAssertTrue(result.errorText.contains("flaky: attempt 3\n"), result.errorText)
    XCTAssertTrue(result.errorText.contains("missing: HTTP status 404"), result.errorText)
    XCTAssertTrue(result.errorText.contains("2 of 4 files"), result.errorText)
    XCTAssertTrue(result.errorText.contains(", 2 failed"), result.errorText)
  }

  func testATruncatedFileIsNone() throws {
    let result = try result(fetch(server.url("truncated"), server.url("small"), "-r", "1"))
    XCTAssertEqual(result.status, 1, result.errorText)
    XCTAssertEqual(try files, ["small": 5])
    XCTAssertEqual(server.visits(of: "truncated"), 2)
    assertNothingIsLeftOver()
  }

  func testNoMoreAtOnceThanAllowed() throws {
    let urls = (1...5).map { server.url("held/\($0)") }
    let run = start(["-o", folder.path, "-j", "2"] + urls)
    for _ in 1...2 { XCTAssertTrue(server.arrived.wait()) }
    for _ in 1...5 { server.release.signal() }
    XCTAssertEqual(try result(run).status, 0)
    XCTAssertEqual(server.mostHeld, 2)
    XCTAssertEqual(try files.count, 5)
  }

  func testOneFileMayTakeTooLong() throws {
    let result = try result(fetch(server.url("slow"), server.url("small"), "-t", "2"))
    XCTAssertEqual(result.status, 1, result.errorText)
    XCTAssertTrue(result.errorText.contains("slow: timed out"), result.errorText)
    XCTAssertTrue(server.hungUp.wait(), "the transfer is cancelled")
    XCTAssertEqual(try files, ["small": 5])
  }

  func testAllMayTakeTooLong() throws {
    let result = try result(fetch("-j", "1", "-T", "2", server.url("slow"), server.url("small")))
    XCTAssertEqual(result.status, 124, result.errorText)
    XCTAssertTrue(result.errorText.contains("0 of 2 files"), result.errorText)
    XCTAssertTrue(result.errorText.contains(", 2 too late"), result.errorText)
    XCTAssertEqual(server.visits(of: "small"), 0, "no file starts after the common deadline")
    XCTAssertEqual(try files, [:])
  }

  func testControlC() throws {
    for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
      let process = program(
        ["-o", folder.path, "-j", "2"] + ["slow", "slow", "small"].map { server.url($0) })
      let run = process.runPromise(accepting: nil)
      for _ in 1...2 { XCTAssertTrue(server.arrived.wait()) }
      kill(process.processIdentifier, signal)
      let result = try result(run)
      XCTAssertEqual(result.status, status, result.errorText)
      XCTAssertEqual(result.reason, .exit)
      for _ in 1...2 { XCTAssertTrue(server.hungUp.wait(), "the transfers are cancelled") }
      XCTAssertTrue(result.errorText.hasSuffix(", 3 interrupted\n"), result.errorText)
      XCTAssertEqual(try files, [:], "no partial file")
      assertNothingIsLeftOver()
    }
  }

  func testAFolderThatCannotBeWrittenTo() throws {
    // Not even root can write to these places.
    for place in ["/dev/null/below", "/proc"] {
      let result = try result(start(["-o", place, server.url("small")]))
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errorText.contains(place), result.errorText)
    }
    let visits = server.visits(of: "small")
    // This file cannot be saved, because a folder has its name.
    let taken = folder.appendingPathComponent("small")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
    let result = try result(fetch(server.url("small")))
    XCTAssertEqual(result.status, 1)
    XCTAssertEqual(server.visits(of: "small"), visits + 1, "no retry")
    try FileManager.default.removeItem(at: taken)
  }

  func testAServerThatIsNotThere() throws {
    let result = try result(fetch("http://127.0.0.1:1/x", "-r", "1"))
    XCTAssertEqual(result.status, 1)
    XCTAssertTrue(result.errorText.contains("/x: attempt 2"), result.errorText)
  }

  func testGraph() throws {
    let result = try result(fetch("--graph", server.url("small")))
    XCTAssertEqual(result.status, 0)
    XCTAssertTrue(result.text.contains("all: fulfilled"), result.text)
    XCTAssertTrue(result.text.contains("small: fulfilled"), result.text)
  }

  func testUsage() throws {
    let help = try result(start(["--help"]))
    XCTAssertEqual(help.status, 0)
    XCTAssertTrue(help.text.hasPrefix("usage: fetch"))
    for wrong in [
      [], ["-j"], ["-j", "0", server.url("x")], ["-t", "soon", server.url("x")], ["--fast"], ["here"],
    ] {
      let result = try result(start(wrong))
      XCTAssertEqual(result.status, 2, "\(wrong)")
      XCTAssertTrue(result.errorText.contains("usage: fetch"))
    }
  }
}
