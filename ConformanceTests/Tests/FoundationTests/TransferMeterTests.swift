import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The progress of transfers.
final class TransferMeterTests: TransferTestCase {
  private let size: Int64 = 300_000

  /// The steps that a meter reports, and the value of the promise.
  private func told(_ start: (TransferMeter) -> Promise) throws -> (steps: [TransferProgress], value: Any) {
    let steps = Recorded<[TransferProgress]>([])
    let meter = TransferMeter { step in steps.append(step) }
    let value = try start(meter).outcome().get()
    XCTAssertEqual(meter.latest, steps.value.last)
    return (steps.value, value)
  }

  private func assertRises(_ steps: [TransferProgress], to total: Int64?, line: UInt = #line) {
    XCTAssertEqual(steps.last?.completed, size, line: line)
    XCTAssertTrue(steps.allSatisfy { $0.total == total }, "\(steps)", line: line)
    for (step, next) in zip(steps, steps.dropFirst()) {
      XCTAssertLessThan(step.completed, next.completed, line: line)
    }
  }

  func testDownloadsAndDataAreWatched() throws {
    let (data, value) = try told { session.dataPromise(from: server.url("big"), progress: $0) }
    assertRises(data, to: size)
    XCTAssertGreaterThan(data.count, 1)
    XCTAssertLessThan(data[0].fraction ?? 1, 1)
    XCTAssertEqual(data.last?.fraction, 1)
    XCTAssertNil(TransferMeter().latest)
    XCTAssertEqual(try XCTUnwrap(value as? LoadedData).data.count, Int(size))
    let (download, file) = try told {
      session.downloadPromise(from: server.url("big"), to: self.file(), accepting: 200..<300, progress: $0)
    }
    assertRises(download, to: size)
    XCTAssertEqual((file as? DownloadedFile)?.statusCode, 200)
    XCTAssertEqual(try Data(contentsOf: self.file()).count, Int(size))
  }

  func testUploadsAreWatched() throws {
    let body = Data(repeating: 1, count: Int(size))
    let (steps, value) = try told { session.uploadPromise(for: post("echo"), from: body, progress: $0) }
    assertRises(steps, to: size)
    XCTAssertEqual((value as? LoadedData)?.data.count, Int(size) + "POST: ".count)
    try body.write(to: file())
    let (fileSteps, _) = try told { session.uploadPromise(for: post("echo"), fromFile: file(), progress: $0) }
    XCTAssertEqual(fileSteps.last?.completed, size)
  }

  func testALengthMayBeUnknown() throws {
    let (steps, _) = try told { session.dataPromise(from: server.url("unsized"), progress: $0) }
    assertRises(steps, to: nil)
    XCTAssertNil(steps[0].fraction)
  }

  func testTheSequenceEndsWithTheTransfer() async throws {
    for path in ["big", "missing"] {
      let meter = TransferMeter()
      let promise = session.dataPromise(from: server.url(path), accepting: 200..<300, progress: meter)
      var last: TransferProgress?
      for await step in meter {
        XCTAssertLessThan(last?.completed ?? -1, step.completed)
        last = step
      }
      XCTAssertEqual(last, meter.latest)
      // A later reader receives the last step and then the end.
      var late: [TransferProgress] = []
      for await step in meter { late.append(step) }
      XCTAssertEqual(late, [meter.latest].compactMap { $0 })
      _ = try? await promise.value
    }
  }

  func testTheSequenceEndsWhenTheTransferIsCancelled() async throws {
    let meter = TransferMeter()
    let promise = session.dataPromise(from: server.url("silent"), progress: meter)
    let ended = expectation(description: "the sequence has ended")
    let reader = Task {
      for await _ in meter {}
      ended.fulfill()
    }
    server.waiting.wait("request")
    promise.cancel()
    await fulfillment(of: [ended], timeout: 20)
    server.hungUp.wait("end of the connection")
    await reader.value
    XCTAssertNil(meter.latest)
  }

  func testOnlyTheUserCanReadThePartialFileOfADownload() throws {
    let folder = FileManager.default.temporaryDirectory
    func parts() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") })
    }
    let before = try parts()
    let promise = session.downloadPromise(from: server.url("silent"), to: file(), progress: TransferMeter())
    server.waiting.wait("request")
    let made = try parts().subtracting(before)
    XCTAssertEqual(made.count, 1)
    for name in made {
      let path = folder.appendingPathComponent(name).path
      XCTAssertEqual(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int, 0o600)
    }
    promise.cancel()
    server.hungUp.wait("end of the connection")
  }

  func testErrorsPassAMeter() throws {
    let missing = session.downloadPromise(
      from: server.url("missing"), to: file(), accepting: 200..<300, progress: TransferMeter())
    XCTAssertEqual(try reason(of: missing, as: HTTPStatusError.self).statusCode, 404)
    XCTAssertFalse(FileManager.default.fileExists(atPath: file().path))
    let nowhere = session.dataPromise(from: LoopbackServer.nowhere, progress: TransferMeter())
    XCTAssertNoThrow(try reason(of: nowhere, as: URLError.self))
  }

  /// A delegate that refuses redirections.
  private final class Stays: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }

  func testTheSessionsDelegateDecidesAboutRedirections() throws {
    let stays = URLSession(configuration: .ephemeral, delegate: Stays(), delegateQueue: nil)
    defer { stays.invalidateAndCancel() }
    for (session, status, count) in [(session!, 200, Int(size)), (stays, 302, 0)] {
      let promise = session.dataPromise(from: server.url("moved"), progress: TransferMeter())
      let loaded: LoadedData = try value(of: promise)
      XCTAssertEqual(loaded.statusCode, status)
      XCTAssertEqual(loaded.data.count, count)
    }
  }

  func testTheBodyIsThatOfTheLastResponse() throws {
    final class Knows: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
          @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) { completionHandler(.useCredential, URLCredential(user: "a", password: "b", persistence: .none)) }
    }
    let session = URLSession(configuration: .ephemeral, delegate: Knows(), delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let loaded = session.dataPromise(from: server.url("private"), progress: TransferMeter())
    XCTAssertEqual(try value(of: loaded, as: LoadedData.self).data, Data("hello".utf8))
    XCTAssertNoThrow(try session.downloadPromise(from: server.url("private"), to: file()).outcome().get())
    XCTAssertEqual(try Data(contentsOf: file()), Data("hello".utf8))
  }
}
