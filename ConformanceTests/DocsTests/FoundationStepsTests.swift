import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples of `docs/foundation.md` for requests, progress, notifications and programs.
final class FoundationStepsTests: XCTestCase {
  /// Answers without a network: a user named by the path, in two pieces.
  private final class Canned: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "canned" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
      let url = request.url!
      let body = Data(#"{"name": "\#(url.lastPathComponent)"}"#.utf8)
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Length": "\(body.count)"])!
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: body)
      client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
  }

  private var session: URLSession!
  private var file: URL!

  override func setUp() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    session = URLSession(configuration: configuration)
    file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  override func tearDown() {
    session.invalidateAndCancel()
    try? FileManager.default.removeItem(at: file)
  }

  private struct User: Codable, Equatable, Sendable { var name: String }

  // example: foundation-store
  final class Database: ValueStore {
    let users = Recorded<[String]>([])

    func save(_ value: Any) throws -> Future? {
      Promise.task { [users, text = "\(value)"] in users.change { $0.append(text) } }
    }
  }
  // end

  func testRequest() throws {
    let address = URL(string: "canned://server")!
    let (session, database) = (session!, Database())
    // example: foundation-request
    func loadUser(_ name: String) -> Promise {
      session.request(address.appendingPathComponent(name))
        .validate()
        .decoded(as: User.self)
        .saved(in: database)
    }
    // end
    XCTAssertEqual(try value(of: loadUser("Ann")), User(name: "Ann"))
    XCTAssertEqual(database.users.value, [#"User(name: "Ann")"#])
  }

  func testFile() throws {
    let (address, file) = (URL(string: "canned://server/Ann")!, file!)
    // example: foundation-file
    let saved = session.request(address).validate().saved(to: file)
    // end
    _ = try outcome(of: saved).get()
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), #"{"name": "Ann"}"#)
  }

  func testProgress() throws {
    let (address, file) = (URL(string: "canned://server/Ann")!, file!)
    let parts = Recorded<[Double]>([])
    let bar = Bar(parts)
    // example: foundation-progress
    let meter = TransferMeter { step in bar.show(step.fraction ?? 0) }
    let map = session.dataPromise(from: address, progress: meter).saved(to: file)
    // end
    _ = try outcome(of: map).get()
    XCTAssertEqual(parts.value.last, 1)
  }

  func testSteps() async throws {
    let address = URL(string: "canned://server/Ann")!
    let parts = Recorded<[Double]>([])
    let bar = Bar(parts)
    // example: foundation-steps
    let meter = TransferMeter()
    let user = session.dataPromise(from: address, progress: meter).decoded(as: User.self)
    for await step in meter { bar.show(step.fraction ?? 0) }
    print(try await user.value)
    // end
    XCTAssertEqual(parts.value.last, 1)
    XCTAssertEqual(user.result.flatMap { try? $0.get() } as? User, User(name: "Ann"))
  }

  private struct Bar: Sendable {
    let parts: Recorded<[Double]>
    init(_ parts: Recorded<[Double]>) { self.parts = parts }
    func show(_ part: Double) { parts.change { $0.append(part) } }
  }

  func testNotification() throws {
    let center = NotificationCenter()
    let login = Notification.Name("login")
    // example: foundation-notification
    let name = center.notificationPromise(for: login)
      .then { (notification: Notification) in notification.userInfo?["name"] as? String }
      .setTimeout(60)
    // end
    center.post(name: login, object: nil, userInfo: ["name": "Ann"])
    XCTAssertEqual(try value(of: name), "Ann")
  }

  #if os(macOS) || os(Linux)
    func testProcess() throws {
      // example: foundation-process
      let uname = Process()
      uname.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      uname.arguments = ["uname", "-s"]
      let system = uname.runPromise()
        .then { (result: ProcessResult) in result.text.trimmingCharacters(in: .whitespacesAndNewlines) }
        .catch { (failure: ProcessFailure) in "unknown: \(failure.result.errorText)" }
      // end
      XCTAssertTrue(["Linux", "Darwin"].contains(try value(of: system, as: String.self)))
    }
  #endif
}
