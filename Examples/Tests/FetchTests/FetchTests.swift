import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import XCTest

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

  /// A process with the program, which is built beside the tests. The process uses no proxy, because a proxy
  /// cannot reach the loopback interface, and has a scratch folder, so that leftover files are visible.
  private func program(_ arguments: [String]) -> Process {
    let process = Process()
    let near = [Bundle.main.bundleURL, Bundle(for: FetchTests.self).bundleURL.deletingLastPathComponent()]
    process.executableURL = near.map { $0.appendingPathComponent("fetch") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    process.arguments = arguments
    let scratch = folder.appendingPathComponent(".scratch")
    try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let own = ["no_proxy": "127.0.0.1", "TMPDIR": scratch.path]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
    return process
  }

  private func start(_ arguments: [String]) -> Promise { program(arguments).runPromise(accepting: nil) }

  private func fetch(_ arguments: String...) -> Promise { start(["-o", folder.path] + arguments) }

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
    XCTAssertTrue(result.errorText.contains("4 of 4 files in "), result.errorText)
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

  func testOneFileMayTakeTooLong() throws {
    let result = try result(fetch(server.url("slow"), server.url("small"), "-t", "2"))
    XCTAssertEqual(result.status, 1, result.errorText)
    XCTAssertTrue(result.errorText.contains("slow: timed out"), result.errorText)
    XCTAssertTrue(server.hungUp.wait(), "the transfer is cancelled")
    XCTAssertEqual(try files, ["small": 5])
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
  }

  func testUsage() throws {
    for wrong in [[], ["-j"], ["-j", "0", server.url("x")], ["-t", "soon", server.url("x")], ["here"]] {
      let result = try result(start(wrong))
      XCTAssertEqual(result.status, 2, "\(wrong)")
      XCTAssertTrue(result.errorText.contains("usage: fetch"))
    }
  }
}
