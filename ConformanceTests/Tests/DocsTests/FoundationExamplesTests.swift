import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// example: foundation-signal
/// Fulfilled with the signal's number when the process receives it.
func received(_ number: Int32) -> Promise {
  Promise { resolver in
    signal(number, SIG_IGN)  // its default action would end the process
    nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { resolver.fulfill(number) }
    source.setCancelHandler { signal(number, SIG_DFL) }
    resolver.onTermination { _ in source.cancel() }
    source.activate()
  }
}
// end

/// The examples of `docs/foundation.md`.
final class FoundationExamplesTests: XCTestCase {
  private let address = URL(string: "canned://server/Ann")!
  private var session: URLSession!

  override func setUp() { session = Canned.session() }
  override func tearDown() { session.invalidateAndCancel() }

  private struct User: Codable, Equatable, Sendable { var name: String }

  // example: foundation-store
  final class Database: ValueStore {
    let users = Recorded<[String]>([])

    func save(_ value: Any) throws -> Promise? {
      Promise.task { [users, text = "\(value)"] in users.change { $0.append(text) } }
    }
  }
  // end

  func testData() throws {
    let session = session!
    let address = URL(string: "canned://server/nobody")!
    // example: foundation-data
    let user = session.dataPromise(from: address, accepting: 200..<300)
      .then { (loaded: LoadedData) in try JSONDecoder().decode([String: String].self, from: loaded.data) }
      .catch { (error: HTTPStatusError) in ["error": "status \(error.statusCode)"] }
    // end
    XCTAssertEqual(try value(of: user), ["error": "status 404"])
  }

  func testWait() throws {
    let print = Log()
    // example: foundation-wait
    let shown = load("user").thenOnMain { name in "Hello, \(name)" }
    if shown.runLoopWait(timeout: 10) {
      print(shown)
    }
    // end
    XCTAssertEqual(print.lines, ["Promise(fulfilled: Hello, ann)"])
  }

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

  func testSteps() async throws {
    let show = Log()
    // example: foundation-steps
    let meter = TransferMeter()
    let user = session.dataPromise(from: address, progress: meter).decoded(as: User.self)
    for await step in meter { show(step.fraction ?? 0) }
    print(try await user.value)
    // end
    XCTAssertEqual(show.lines.last, "1.0")
    XCTAssertEqual(user.result.flatMap { try? $0.get() } as? User, User(name: "Ann"))
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

  func testAnInterruptStopsTheWork() throws {
    let (root, sent) = (Promise(), Promise())
    let work = root.then { $0 }
    func received(_ number: Int32) -> Promise { sent }
    // example: foundation-interrupt
    let interrupt = received(SIGINT).then { _ in work.withdraw() }
    // end
    sent.fulfill(SIGINT)
    XCTAssertTrue(try value(of: interrupt))
    XCTAssertTrue(work.isCancelled && root.isCancelled)
    let other = DocsTests.received(SIGINT).then { _ in XCTFail("SIGINT was not sent") }
    XCTAssertTrue(other.withdraw())
  }
}

/// Answers requests without a network. The path is the name of the user, and `nobody` has status 404.
final class Canned: URLProtocol {
  static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    return URLSession(configuration: configuration)
  }

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "canned" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    let body = Data(#"{"name": "\#(url.lastPathComponent)"}"#.utf8)
    let response = HTTPURLResponse(
      url: url, statusCode: url.lastPathComponent == "nobody" ? 404 : 200, httpVersion: "HTTP/1.1",
      headerFields: ["Content-Length": "\(body.count)"])!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: body)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
