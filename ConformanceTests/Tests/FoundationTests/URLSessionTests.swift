import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Transfers as promises, with the test's own server.
final class URLSessionTests: TransferTestCase {
  private func loaded(_ promise: Promise) throws -> (text: String, status: Int?) {
    let loaded: LoadedData = try value(of: promise)
    return (String(decoding: loaded.data, as: UTF8.self), loaded.statusCode)
  }

  func testData() throws {
    for promise in [
      session.dataPromise(from: server.url("hello")),
      session.dataPromise(for: URLRequest(url: server.url("hello"))),
      session.dataPromise(from: server.url("hello"), accepting: 200..<300),
    ] {
      let (text, status) = try loaded(promise)
      XCTAssertEqual(text, "hello")
      XCTAssertEqual(status, 200)
    }
  }

  // Spec: X1.7
  func testTransfersTakeTheDefaultContextOfTheProcess() throws {
    let former = Promise.defaultContext
    defer { Promise.defaultContext = former }
    let home = MarkedQueue()
    Promise.defaultContext = home.queue
    let place = session.dataPromise(from: server.url("hello")).then { _ in home.isCurrent }
    XCTAssertEqual(try place.outcome().get() as? Bool, true)
  }

  func testATransferThatIsCancelledFromItsOwnSide() throws {
    let promise = session.dataPromise(from: server.url("silent"))
    let mended = promise.catch { error in error.isCancellation }
    server.waiting.wait("request")
    session.invalidateAndCancel()
    session = URLSession(configuration: .ephemeral)
    XCTAssertEqual(try reason(of: promise, as: URLError.self).code, .cancelled)
    XCTAssertTrue(promise.isCancelled, "`URLError.cancelled` counts as a cancellation")
    XCTAssertEqual(try value(of: mended), true, "a handler can handle the rejection")
  }

  func testUpload() throws {
    XCTAssertEqual(
      try loaded(session.uploadPromise(for: post("echo"), from: Data("from memory".utf8))).text,
      "POST: from memory")
    let file = file("body")
    try Data("from a file".utf8).write(to: file)
    XCTAssertEqual(
      try loaded(session.uploadPromise(for: post("echo"), fromFile: file)).text, "POST: from a file")
  }

  func testDownload() throws {
    let destination = file("hello.txt")
    for _ in 0..<2 {
      try Data("something older".utf8).write(to: destination)
      let promise = session.downloadPromise(from: server.url("hello"), to: destination)
      let downloaded: DownloadedFile = try value(of: promise)
      XCTAssertEqual(downloaded.file, destination)
      XCTAssertEqual(downloaded.statusCode, 200)
      XCTAssertEqual(try String(contentsOf: destination, encoding: .utf8), "hello")
    }
    let nowhere = folder.appendingPathComponent("no/such/folder")
    let failed = session.downloadPromise(from: server.url("hello"), to: nowhere)
    let error = try reason(of: failed, as: (any Error).self)
    XCTAssertFalse(error is PromiseError, "\(error)")
  }

  func testStatusIsCheckedOnRequestOnly() throws {
    let (text, status) = try loaded(session.dataPromise(from: server.url("missing")))
    XCTAssertEqual(text, "no such thing")
    XCTAssertEqual(status, 404)

    let destination = file("missing")
    for promise in [
      session.dataPromise(from: server.url("missing"), accepting: 200..<300),
      session.uploadPromise(for: post("missing"), from: Data(), accepting: 200..<300),
      session.downloadPromise(from: server.url("missing"), to: destination, accepting: 200..<300),
    ] {
      let error: HTTPStatusError = try reason(of: promise)
      XCTAssertEqual(error.statusCode, 404)
      XCTAssertEqual(String(decoding: error.data, as: UTF8.self), "no such thing")
      XCTAssertTrue(error.localizedDescription.hasPrefix("HTTP status 404"), error.localizedDescription)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: destination.path))
    XCTAssertEqual(
      try loaded(session.dataPromise(from: server.url("missing"), accepting: 404..<405)).status, 404)
  }

  func testAnEmptyRangeAcceptsNothing() throws {
    let promise = session.dataPromise(from: server.url("hello"), accepting: 200..<200)
    XCTAssertEqual(try reason(of: promise, as: HTTPStatusError.self).statusCode, 200)
  }

  func testDownloadsObeyTheLimitOfTheirSession() throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let first = session.downloadPromise(from: server.url("silent"), to: file("first"))
    server.waiting.wait("request")
    let others = (0..<3).map { index in
      index == 0
        ? session.dataPromise(from: server.url("hello"), progress: TransferMeter())
        : session.downloadPromise(from: server.url("hello"), to: file("\(index)"))
    }
    // Another session is not affected. Its download takes longer than a request of the others would.
    for _ in 0..<5 {
      _ = try self.session.downloadPromise(from: server.url("big"), to: file("other")).outcome().get()
    }
    XCTAssertTrue(others.allSatisfy(\.isPending), "the first download occupies the only connection")
    first.cancel()
    for other in others { XCTAssertNoThrow(try other.outcome().get()) }
  }

  func testTheBodyOfARejectedDownloadIsCut() throws {
    let download = session.downloadPromise(from: server.url("big"), to: file(), accepting: 404..<405)
    XCTAssertEqual(try reason(of: download, as: HTTPStatusError.self).data.count, 1 << 16)
    let later = session.downloadPromise(from: server.url("big"), to: file()).validate(404..<405)
    XCTAssertEqual(try reason(of: later, as: HTTPStatusError.self).data.count, 1 << 16)
  }

  func testAFolderIsNotReplaced() throws {
    let (inside, link) = (file("inside"), file("link"))
    try Data("kept".utf8).write(to: inside)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    for place in [folder!, link] {
      let promise = session.downloadPromise(from: server.url("hello"), to: place)
      XCTAssertEqual(try reason(of: promise, as: CocoaError.self).code, .fileWriteFileExists)
    }
    XCTAssertEqual(try Data(contentsOf: inside), Data("kept".utf8))
  }

  func testANameMayBeAsLongAsNamesCanBe() throws {
    let destination = file(String(repeating: "x", count: 255))
    _ = try session.downloadPromise(from: server.url("hello"), to: destination).outcome().get()
    XCTAssertEqual(try String(contentsOf: destination, encoding: .utf8), "hello")
  }

  func testAFileThatCannotBeMovedLeavesTheOldOneAlone() throws {
    let (new, old) = (file("new"), file("old"))
    try Data("new".utf8).write(to: new)
    try Data("old".utf8).write(to: old)
    // Fails like a full file system: the copy ends halfway.
    func fail(_: URL, _ target: URL) throws {
      try Data("n".utf8).write(to: target)
      throw CocoaError(.fileWriteOutOfSpace)
    }
    XCTAssertThrowsError(try new.put(at: old, moving: fail)) {
      XCTAssertEqual(($0 as? CocoaError)?.code, .fileWriteOutOfSpace)
    }
    XCTAssertEqual(try Data(contentsOf: old), Data("old".utf8))
    XCTAssertEqual(try names(), ["new", "old"])

    // A folder with the destination's name appears during the move.
    let late = file("late")
    func surprise(_ file: URL, _ target: URL) throws {
      try FileManager.default.moveItem(at: file, to: target)
      try FileManager.default.createDirectory(at: late, withIntermediateDirectories: false)
    }
    XCTAssertThrowsError(try new.put(at: late, moving: surprise)) {
      XCTAssertEqual(($0 as? POSIXError)?.code, .EISDIR, "\($0)")
    }
    XCTAssertEqual(try names(), ["late", "old"])
  }

  func testNothingIsLeftInTheFolderForTemporaryFiles() throws {
    let (scratch, destination, folder) = (file("scratch"), file("x"), file("folder"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    let former = ProcessInfo.processInfo.environment["TMPDIR"]
    setenv("TMPDIR", scratch.path, 1)
    defer { if let former { setenv("TMPDIR", former, 1) } else { unsetenv("TMPDIR") } }
    let downloads = [
      ("hello", destination), ("hello", folder), ("missing", destination), ("truncated", destination),
    ]
    for (path, destination) in downloads {
      let meter = TransferMeter()
      let promise = session.downloadPromise(
        from: server.url(path), to: destination, accepting: 200..<300, progress: meter)
      // Lists the files on the stack that settles the promise, because the program may end then.
      let left = promise.reflect().thenOn(.immediate) { _ in
        try FileManager.default.contentsOfDirectory(atPath: scratch.path)
      }
      XCTAssertEqual(try value(of: left), [String](), path)
      XCTAssertEqual(promise.isFulfilled, path == "hello" && destination != folder)
    }
    let cancelled = session.downloadPromise(from: server.url("silent"), to: destination)
    server.waiting.wait("request")
    cancelled.cancel()
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: scratch.path), [])
    server.hungUp.wait("end of the connection")
  }

  func testErrorsOfTheTransferArePassedOn() throws {
    let error: URLError = try reason(of: session.dataPromise(from: LoopbackServer.nowhere))
    XCTAssertEqual(error.code, .cannotConnectToHost)
  }

  private func silentTransfers() -> [() -> Promise] {
    let (session, server, post, file) = (session!, server!, post("silent"), file())
    return [
      { session.dataPromise(from: server.url("silent")) },
      { session.uploadPromise(for: post, from: Data("x".utf8)) },
      { session.downloadPromise(from: server.url("silent"), to: file) },
      { session.downloadPromise(from: server.url("silent"), to: file, progress: TransferMeter()) },
    ]
  }

  func testCancellingThePromiseCancelsTheTask() throws {
    for start in silentTransfers() {
      let promise = start()
      let end = promise.then { $0 }
      server.waiting.wait("request")
      promise.cancel(NumberedError(1))
      XCTAssertTrue(promise.isCancelled)
      server.hungUp.wait("end of the connection")
      XCTAssertEqual(try reason(of: end), NumberedError(1))
    }
  }

  func testReleasingThePromiseCancelsTheTask() {
    for start in silentTransfers() {
      var promise: Promise? = start()
      server.waiting.wait("request")
      XCTAssertEqual(promise?.isPending, true)
      promise = nil
      server.hungUp.wait("end of the connection")
    }
  }
}
