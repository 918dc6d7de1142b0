import Foundation
import XCTest

final class RunningProcess {
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let output = PipeReader()
  private let error = PipeReader()

  /// Starts an executable of this build, or the executable at a path. Standard output and standard error are
  /// written to `output` and `error` if given, and otherwise collected in the result.
  init(
    _ arguments: [String], program: String = "conformance", output file: FileHandle? = nil,
    error terminal: FileHandle? = nil, directory: URL? = nil
  ) throws {
    process.executableURL = URL(fileURLWithPath: program, relativeTo: Self.folder)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = file ?? output.pipe
    process.standardError = terminal ?? error.pipe
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    if file == nil { output.start() }
    if terminal == nil { error.start() }
  }

  /// Sends SIGINT to the group of the process, as a terminal does.
  func interrupt() { kill(-process.processIdentifier, SIGINT) }

  /// Waits for the end of the process.
  func result(seconds: Double = 120) throws -> (status: Int32, output: String, error: String) {
    if ended.wait(timeout: .now() + seconds) == .timedOut {
      // Kills the process, which might survive `terminate()`. A running process has no status to read.
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      XCTFail("the process did not end within \(seconds) s")
    }
    ended.signal()
    return (process.terminationStatus, output.text(), error.text())
  }

  /// The folder of the test bundle, which also contains the executables.
  private static var folder: URL {
    #if os(macOS)
      Bundle(for: RunningProcess.self).bundleURL.deletingLastPathComponent()
    #else
      Bundle.main.bundleURL
    #endif
  }
}

/// Reads a pipe to its end while the process runs. Otherwise, the process would block on a full pipe.
private final class PipeReader: @unchecked Sendable {
  let pipe = Pipe()
  private let ended = DispatchGroup()
  private var data = Data()

  func start() {
    DispatchQueue.global().async(group: ended) { [self] in
      data = pipe.fileHandleForReading.readDataToEndOfFile()
    }
  }

  /// Returns the output. Called after the process has ended.
  func text() -> String {
    ended.wait()
    return String(decoding: data, as: UTF8.self)
  }
}

/// Runs `conformance` on a terminal, and interrupts the process when `sign` is drawn. By then SIGINT is
/// blocked, because it is blocked before the run starts. Fails unless the status is that of an interrupt.
func outputOfInterrupted(_ arguments: [String], at sign: String) throws -> String {
  let terminal = try PseudoTerminal()
  let process = try RunningProcess(arguments, error: terminal.slave)
  XCTAssertTrue(terminal.waits(for: sign, seconds: 60), "no progress was drawn")
  process.interrupt()
  let result = try process.result()
  XCTAssertEqual(result.status, 130)
  return result.output
}
