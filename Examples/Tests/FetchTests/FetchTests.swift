import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import XCTest

/// Runs the program with an unreliable server.
final class FetchTests: XCTestCase {
  private var server: Server!
  private var folder: URL!

  override func setUpWithError() throws {
    server = try Server()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  /// A process with the program, which is built beside the tests. It uses no proxy, because a proxy cannot
  /// reach the loopback interface. Temporary files are made in the folder, where leftover files are visible.
  private func program(_ arguments: [String]) -> Process {
    let process = Process()
    let near = [Bundle.main.bundleURL, Bundle(for: FetchTests.self).bundleURL.deletingLastPathComponent()]
    process.executableURL = near.map { $0.appendingPathComponent("fetch") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    process.arguments = ["-o", folder.path] + arguments
    let own = ["no_proxy": "127.0.0.1", "TMPDIR": folder.path]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
    return process
  }

  private func fetch(_ arguments: String...) throws -> ProcessResult {
    try result(program(arguments).runPromise(accepting: nil))
  }

  private func result(_ run: Promise) throws -> ProcessResult {
    try XCTUnwrap(run.get(timeout: patience) as? ProcessResult)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  func testManyFiles() throws {
    let result = try fetch(server.url("small"), server.url("big"), server.url("moved"), server.url("small"))
    XCTAssertEqual(result.status, 0, result.errorText)
    XCTAssertEqual(try files, ["big", "moved", "small", "small.1"])
    let big = try Data(contentsOf: folder.appendingPathComponent("big"))
    XCTAssertEqual(big, Data(repeating: 7, count: 500_000))
    XCTAssertTrue(result.errorText.contains("4 of 4 files in "), result.errorText)
  }

  func testFailuresAreTriedAgainWhileThereIsHope() throws {
    let result = try fetch(
      server.url("flaky"), server.url("missing"), server.url("broken"), server.url("truncated"), "-r", "2")
    XCTAssertEqual(result.status, 1)
    XCTAssertEqual(try files, ["flaky"])
    XCTAssertEqual(server.visits(of: "flaky"), 3)
    XCTAssertEqual(server.visits(of: "broken"), 3)
    XCTAssertEqual(server.visits(of: "missing"), 1, "status 404 is not retried")
    XCTAssertTrue(result.errorText.contains("flaky: attempt 3\n"), result.errorText)
    XCTAssertTrue(result.errorText.contains("missing: HTTP status 404"), result.errorText)
    XCTAssertTrue(result.errorText.contains(", 3 failed"), result.errorText)
  }

  func testOneFileMayTakeTooLong() throws {
    let result = try fetch(server.url("slow"), server.url("small"), "-t", "2")
    XCTAssertEqual(result.status, 1, result.errorText)
    XCTAssertTrue(result.errorText.contains("slow: timed out"), result.errorText)
    XCTAssertTrue(server.hungUp.wait(), "the transfer is cancelled")
    XCTAssertEqual(try files, ["small"])
  }

  func testControlC() throws {
    let process = program(["-j", "2"] + ["slow", "slow", "small"].map { server.url($0) })
    let run = process.runPromise(accepting: nil)
    for _ in 1...2 { XCTAssertTrue(server.arrived.wait()) }
    kill(process.processIdentifier, SIGINT)
    let result = try result(run)
    XCTAssertEqual(result.status, 130, result.errorText)
    for _ in 1...2 { XCTAssertTrue(server.hungUp.wait(), "the transfers are cancelled") }
    XCTAssertTrue(result.errorText.hasSuffix(", 3 interrupted\n"), result.errorText)
    XCTAssertEqual(try files, [], "no partial file")
  }
}
