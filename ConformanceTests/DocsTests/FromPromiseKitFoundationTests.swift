import DynamicPromiseFoundation
import Foundation
import PromiseKitNames
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// More rows of `docs/migration/promisekit.md`: PromiseKit's extensions for Foundation.
final class FromPromiseKitFoundationTests: XCTestCase {
  private struct User: Codable, Equatable { let name: String }

  /// Answers with a user.
  private final class Canned: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "user" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data(#"{"name": "ann"}"#.utf8))
      client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
  }

  func testRequests() throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    let (session, url) = (URLSession(configuration: configuration), URL(string: "user://server/ann")!)
    // row: URLSession.dataTask(.promise, with:)
    let loaded = session.request(url)
    // row: validate()
    let valid = session.request(url).validate()
    // row: JSONDecoder in a map
    let user = session.request(url).validate().decoded(as: User.self)
    XCTAssertNoThrow(try value(of: loaded, as: LoadedData.self))
    XCTAssertNoThrow(try value(of: valid, as: LoadedData.self))
    XCTAssertEqual(try value(of: user), User(name: "ann"))
    session.invalidateAndCancel()
  }

  func testNotificationsAndPrograms() throws {
    let (center, name) = (NotificationCenter(), Notification.Name("changed"))
    // row: NotificationCenter.observe(once:)
    let once = center.notificationPromise(for: name)
    center.post(name: name, object: nil)
    XCTAssertEqual(try value(of: once, as: Notification.self).name, name)
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/bin/echo")
    program.arguments = ["ann"]
    // row: Process.launch(.promise)
    let ended = program.runPromise()
    XCTAssertEqual(try value(of: ended, as: ProcessResult.self).text, "ann\n")
  }
}
