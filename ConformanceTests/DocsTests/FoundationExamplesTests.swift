import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples of `docs/foundation.md`.
final class FoundationExamplesTests: XCTestCase {
  /// Answers without a network: what a path is named, with status 404 for `nobody`.
  private final class Canned: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "canned" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      let url = request.url!
      let status = url.lastPathComponent == "nobody" ? 404 : 200
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)!
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data(#"{"name": "\#(url.lastPathComponent)"}"#.utf8))
      client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
  }

  func testData() throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    let session = URLSession(configuration: configuration)
    for (name, expected) in [("Ann", ["name": "Ann"]), ("nobody", ["error": "status 404"])] {
      let address = URL(string: "canned://server/\(name)")!
      // example: foundation-data
      let user = session.dataPromise(from: address, accepting: 200..<300)
        .then { (loaded: LoadedData) in try JSONDecoder().decode([String: String].self, from: loaded.data) }
        .catch { (error: HTTPStatusError) in ["error": "status \(error.statusCode)"] }
      // end
      XCTAssertEqual(try value(of: user), expected)
    }
    session.invalidateAndCancel()
  }

  func testDownload() throws {
    // Nothing can be downloaded without a server; its tests have one. Here the address is refused at once.
    let session = URLSession(configuration: .ephemeral)
    let address = URL(string: "nonsense://server/map")!
    let destination = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    // example: foundation-download
    let map = session.downloadPromise(from: address, to: destination)
      .then { (download: DownloadedFile) in try Data(contentsOf: download.file).count }
    // end
    XCTAssertEqual(try reason(of: map, as: URLError.self).code, .unsupportedURL)
    session.invalidateAndCancel()
  }

  func testWait() throws {
    let lines = Recorded<[String]>([])
    func print(_ promise: Promise) { lines.change { $0.append("\(promise)") } }
    // example: foundation-wait
    let shown = load("user").thenOnMain { name in "Hello, \(name)" }
    if shown.runLoopWait(timeout: 10) {
      print(shown)
    }
    // end
    XCTAssertEqual(lines.value, ["Promise(fulfilled: Hello, ann)"])
  }

  func testErrors() {
    // example: foundation-errors
    let error = PromiseError.rejected(reason: "no paper") as NSError
    assert(error.localizedDescription == "rejected: no paper")
    assert(error.localizedFailureReason == "no paper")
    assert(error.code == 2)
    // end
    XCTAssertEqual(error.localizedDescription, "rejected: no paper")
    XCTAssertEqual(error.code, 2)
  }
}
