import Foundation
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A test case with a folder for its files.
class FolderTestCase: XCTestCase {
  private(set) var folder: URL!

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// A file in the folder.
  func file(_ name: String = "file") -> URL { folder.appendingPathComponent(name) }
}

/// A test case for transfers, with its own server.
class TransferTestCase: FolderTestCase {
  var server: LoopbackServer!
  var session: URLSession!

  override func setUpWithError() throws {
    try super.setUpWithError()
    // A proxy in the environment could not reach this machine's loopback address.
    setenv("no_proxy", "127.0.0.1", 1)
    server = try LoopbackServer()
    session = URLSession(configuration: .ephemeral)
  }

  override func tearDownWithError() throws {
    session.invalidateAndCancel()
    (server, session) = (nil, nil)
    try super.tearDownWithError()
  }

  func post(_ path: String) -> URLRequest {
    var request = URLRequest(url: server.url(path))
    request.httpMethod = "POST"
    return request
  }
}
