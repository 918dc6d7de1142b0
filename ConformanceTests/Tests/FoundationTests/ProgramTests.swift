import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Programs as promises.
final class ProgramTests: FolderTestCase {
  private func result(_ promise: Promise) throws -> ProcessResult { try value(of: promise) }

  func testOutputAndStatus() throws {
    let result = try result(shell("echo out; echo err >&2").runPromise())
    XCTAssertEqual(result.text, "out\n")
    XCTAssertEqual(result.errorText, "err\n")
    XCTAssertEqual(result.status, 0)
    XCTAssertEqual(result.reason, .exit)
  }

  func testBothPipesAreDrained() throws {
    // The script writes more to each of the two pipes than a pipe can buffer.
    let script = "head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero; head -c 200000 /dev/zero >&2"
    let result = try result(shell(script).runPromise())
    XCTAssertEqual(result.output.count, 400_000)
    XCTAssertEqual(result.errorOutput.count, 500_000)
  }

  func testWhatIsPassedOnIsWaitedFor() throws {
    let result = try result(
      shell("(read line <&3; echo late) 3<&0 & echo early").feeding("go\n").runPromise())
    XCTAssertEqual(Set(result.text.split(separator: "\n")), ["early", "late"])
  }

  func testAStatusIsAnErrorUnlessItIsAccepted() throws {
    let script = "echo half; echo first >&2; echo 'no such file' >&2; exit 3"
    let failure: ProcessFailure = try reason(of: shell(script).runPromise())
    XCTAssertEqual(failure.result.status, 3)
    XCTAssertEqual(failure.result.text, "half\n")
    XCTAssertEqual(failure.localizedDescription, "/bin/sh ended with status 3: no such file")
    XCTAssertEqual(try result(shell(script).runPromise(accepting: nil)).status, 3)
    XCTAssertEqual(try result(shell(script).runPromise(accepting: 0...3)).status, 3)
  }

  func testASignalIsAnError() throws {
    let failure: ProcessFailure = try reason(of: shell("kill -9 $$").runPromise(accepting: 0...9))
    XCTAssertEqual(failure.result.reason, .uncaughtSignal)
    XCTAssertEqual(failure.description, "/bin/sh was ended by signal 9")
    XCTAssertEqual(try result(shell("kill -9 $$").runPromise(accepting: nil)).status, 9)
  }

  func testNoSuchProgram() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/no/such/program")
    let error = try reason(of: process.runPromise(), as: (any Error).self)
    XCTAssertFalse(error is ProcessFailure || error is PromiseError, "\(error)")
  }

  func testCancellingEndsTheProgram() {
    let ended = Event()
    let process = shell("exec sleep 1000")
    process.terminationHandler = { _ in ended.signal() }
    let promise = process.runPromise()
    XCTAssertTrue(process.isRunning)
    promise.cancel(NumberedError(1))
    ended.wait("the program's end")
    XCTAssertEqual(try reason(of: promise), NumberedError(1))
  }

  /// Waits until a program has made the file, and removes it.
  private func waitForFile() {
    let deadline = Date(timeIntervalSinceNow: patience)
    while !FileManager.default.fileExists(atPath: file().path), Date() < deadline { usleep(1000) }
    try? FileManager.default.removeItem(at: file())
  }

  #if os(Linux)
    func testACancelledRunKeepsNoDescriptors() throws {
      func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      let inputs = (0..<10).map { _ in Pipe() }
      let before = try descriptors()
      for input in inputs {
        let process = shell("(echo ready > '\(file().path)'; read line <&3) 3<&0 & exec sleep 1000")
        process.standardInput = input
        let promise = process.runPromise()
        waitForFile()
        promise.cancel()
        _ = try promise.finished().get(timeout: patience)
      }
      let deadline = Date(timeIntervalSinceNow: patience)
      while try descriptors() > before + 3, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
      XCTAssertLessThanOrEqual(try descriptors(), before + 3)
      for input in inputs { try input.fileHandleForWriting.close() }
    }
  #endif

  func testTheChildrenOfACancelledProgramAreNotAwaited() throws {
    let process = shell("echo ready > '\(file().path)'; sleep 30; true")
    let promise = process.runPromise()
    waitForFile()
    promise.cancel()
    _ = try promise.finished().get(timeout: 15)
  }

  func testAProgramThatIgnoresTheSignalIsKilled() throws {
    let ended = Event()
    let process = shell("trap '' TERM; echo ready > '\(file().path)'; while :; do sleep 1; done")
    process.terminationHandler = { _ in ended.signal() }
    let promise = process.runPromise(killAfter: 0.1)
    waitForFile()
    promise.cancel()
    guard ended.wait("the program's end") else { return process.terminate() }
    XCTAssertEqual(process.terminationStatus, SIGKILL)
    XCTAssertEqual(process.terminationReason, .uncaughtSignal)
  }

  #if os(Linux)
    func testAProgramThatCannotBeStartedLeavesNoPipes() throws {
      func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      let before = try descriptors()
      for _ in 0..<20 {
        let process = shell("true")
        process.currentDirectoryURL = URL(fileURLWithPath: "/no/such/folder")
        XCTAssertThrowsError(try process.runPromise().outcome().get())
      }
      // Foundation itself leaks two sockets for each program that cannot be started.
      XCTAssertLessThan(try descriptors() - before, 60)
    }
  #endif

  func testAProgramThatIsEndedFromItsOwnSide() throws {
    let process = shell("exec sleep 1000")
    let promise = process.runPromise()
    XCTAssertTrue(process.isRunning)
    process.terminate()
    XCTAssertEqual(try reason(of: promise, as: ProcessFailure.self).result.reason, .uncaughtSignal)
    XCTAssertFalse(promise.isCancelled)
  }

  func testReleasingThePromiseDoesNotEndTheProgram() throws {
    let ended = Event()
    let process = shell("read line; echo done > '\(file().path)'")
    process.terminationHandler = { _ in ended.signal() }
    let input = Pipe()
    process.standardInput = input
    _ = process.runPromise()
    try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
    ended.wait("the program's end")
    XCTAssertEqual(process.terminationStatus, 0)
    XCTAssertEqual(try String(contentsOf: file(), encoding: .utf8), "done\n")
  }

  func testManyAtOnce() throws {
    let promises = (0..<20).map { shell("echo \($0)").runPromise() }
    for (number, promise) in promises.enumerated() {
      XCTAssertEqual(try result(promise).text, "\(number)\n")
    }
  }
}

private func shell(_ script: String) -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", script]
  return process
}

extension Process {
  /// Writes `text` to the program's standard input.
  fileprivate func feeding(_ text: String) -> Process {
    let input = Pipe()
    standardInput = input
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try? input.fileHandleForWriting.close()
    return self
  }
}
