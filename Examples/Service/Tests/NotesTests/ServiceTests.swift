import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import NIOHTTP1
import NIOPosix
import XCTest

@testable import notes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service, tested over HTTP.
final class ServiceTests: XCTestCase {
  private var session: URLSession!
  private var service: Service!

  override func setUp() {
    setenv("no_proxy", "127.0.0.1", 1)
    session = URLSession(configuration: .ephemeral)
  }

  override func tearDown() async throws {
    _ = try await service?.stop().value
    session.invalidateAndCancel()
  }

  private func start(_ routes: Routes, within seconds: Double = 30) async throws {
    service = try await Service.start(routes, port: 0, within: seconds).value(as: Service.self)
  }

  private func request(_ path: String, _ method: String = "GET", _ body: Data? = nil) -> Promise {
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(service.port)\(path)")!)
    request.httpMethod = method
    request.httpBody = body
    return session.request(request).setTimeout(20)
  }

  private func assert(
    _ path: String, _ method: String = "GET", _ body: String? = nil, is status: Int, _ text: String? = nil,
    line: UInt = #line
  ) async throws {
    let loaded = try await request(path, method, body.map { Data($0.utf8) }).value(as: LoadedData.self)
    XCTAssertEqual(loaded.statusCode, status, line: line)
    if let text { XCTAssertEqual(String(decoding: loaded.data, as: UTF8.self), text, line: line) }
  }

  func testNotes() async throws {
    try await start(.notes(in: Notebook()))
    try await assert("/health", is: 200, "well\n")
    try await assert("/notes/a", is: 404, "404 Not Found\n")
    try await assert("/notes/a", "PUT", #"{"text":"milk"}"#, is: 201, "4 characters\n")
    try await assert("/notes/b", "PUT", #"{"text":"bread"}"#, is: 201)
    try await assert("/notes/a", is: 200, #"{"text":"milk"}"#)
    try await assert("/notes?names=b,a", is: 200, #"[{"text":"bread"},{"text":"milk"}]"#)
    try await assert("/notes?names=", is: 200, "[]")
    try await assert("/notes?names=a,c", is: 404)
    try await assert("/notes/a", "PUT", "milk", is: 400)
    try await assert("/notes/a", "DELETE", is: 405)
    try await assert("/elsewhere", is: 404)
  }

  func testErrorsInsideAreNotShown() async throws {
    struct Secret: Error {}
    final class Unencodable: Sendable {}
    var routes = Routes()
    routes.on(.GET, "/throws") { _ in throw Secret() }
    routes.on(.GET, "/rejects") { _ in Promise.rejected(Secret()) }
    routes.on(.GET, "/returns") { _ in Unencodable() }
    routes.on(.GET, "/nothing") { _ in () }
    try await start(routes)
    for path in ["/throws", "/rejects", "/returns"] {
      try await assert(path, is: 500, "500 Internal Server Error\n")
    }
    try await assert("/nothing", is: 204, "")
  }

  func testASlowAnswerIsGivenUp() async throws {
    let cancelled = expectation(description: "the work is cancelled")
    var routes = Routes()
    routes.on(.GET, "/slow") { _ in
      Promise(onCancel: { _ in cancelled.fulfill() }, onAbandon: nil).then { $0 }
    }
    try await start(routes, within: 0.05)
    try await assert("/slow", is: 503, "503 Service Unavailable\n")
    await fulfillment(of: [cancelled], timeout: 20)
  }

  func testAClientThatHangsUpCancels() async throws {
    let (asked, cancelled) = (expectation(description: "asked"), expectation(description: "cancelled"))
    var routes = Routes()
    routes.on(.GET, "/slow") { _ in
      asked.fulfill()
      return Promise(onCancel: { _ in cancelled.fulfill() }, onAbandon: nil).then { $0 }
    }
    try await start(routes)
    let answer = request("/slow")
    await fulfillment(of: [asked], timeout: 20)
    answer.root.cancel()
    await fulfillment(of: [cancelled], timeout: 20)
  }

  func testHandlersRunOnTheLoopWhichCannotWaitForItself() throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let outcome = loop.makeSucceededFuture(7).promise().then { (seven: Int) -> String in
      guard loop.inEventLoop else { return "elsewhere" }
      do { return "\(try Promise.resolved(seven).thenOn(.eventLoop(loop)) { $0 }.get())" } catch PromiseError
        .wouldDeadlock
      { return "would deadlock" }
    }
    XCTAssertEqual(try outcome.get() as? String, "would deadlock")
  }
}
