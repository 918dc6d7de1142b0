import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import TestSupport
import XCTest

/// The README's program: a task, its JSON, an object, the main queue, an error handler, and a cancel in the
/// middle.
final class ReadmeTests: XCTestCase {
  private let view = UserView()
  private let server = Server(answer: Data(#"{"name": "Ann"}"#.utf8))

  private func show(by server: Server) -> Promise {
    Server.$current.withValue(server) { showUser(7, in: view) }
  }

  /// Waits until the chain has ended and has written its log.
  private func end(of chain: Promise) async {
    let ended = expectation(description: "the chain has ended")
    chain.finally { ended.fulfill() }
    await fulfillment(of: [ended], timeout: 20)
  }

  private func assertNames(_ expected: [String], line: UInt = #line) async {
    let names = await view.names
    XCTAssertEqual(names, expected, line: line)
  }

  func testAUserIsShownOnTheMainThread() async throws {
    let chain = show(by: server)
    server.respond()
    await end(of: chain)
    await assertNames(["Ann"])
    XCTAssertEqual(server.lines.value, [])
  }

  func testEachErrorReachesOneHandler() async throws {
    for answer in [nil, Data("no JSON".utf8), Data("[1]".utf8), Data(#"{"age": 7}"#.utf8)] {
      let server = Server(answer: answer)
      let chain = show(by: server)
      server.respond()
      await end(of: chain)
      XCTAssertEqual(server.lines.value.count, 1)
      XCTAssertTrue(server.lines.value[0].hasPrefix("no user 7: "))
    }
    await assertNames([])
  }

  /// The function returns the end of its chain. A withdrawal of the end's follower cancels the whole chain.
  func testAChainThatAHandlerReturnsIsCancelledWithIt() async throws {
    let (view, login) = (view, Promise(on: .immediate))
    // example: readme-compose
    let shown = login.then { _ in showUser(7, in: view) }
    // end
    Server.$current.withValue(server) { login.fulfill("session") }
    let logged = expectation(description: "logged")
    server.onLine.change { $0 = { logged.fulfill() } }
    XCTAssertFalse(server.wasCancelled.value)
    // example: readme-compose-cancel
    shown.withdraw()  // stops the download, or the login if it is pending
    // end
    XCTAssertTrue(shown.isCancelled)
    XCTAssertTrue(server.wasCancelled.value)
    server.respond()
    // The inner chain's `catch` logs the cancellation. The test waits for this line.
    await fulfillment(of: [logged], timeout: 20)
    XCTAssertEqual(server.lines.value, ["no user 7: CancellationError()"])
    await assertNames([])
  }

  func testACancelInTheMiddleReachesTheTask() async throws {
    let chain = Server.$current.withValue(server) {
      // example: readme-cancel
      let shown = showUser(7, in: view)
      shown.withdraw()  // no longer wanted
      // end
      return shown
    }
    XCTAssertTrue(server.wasCancelled.value)
    server.respond()
    await end(of: chain)
    XCTAssertTrue(chain.isCancelled)
    XCTAssertEqual(server.lines.value, ["no user 7: CancellationError()"])
    await assertNames([])
  }

  /// A viewer can show the chain's trace.
  // Spec: D3.6
  func testTheChainOpensAsATrace() async throws {
    let recorder = Recorder()
    let chain = show(by: server)
    server.respond()
    await end(of: chain)
    recorder.end()
    let events = try TraceFormat.events(recorder.trace)
    XCTAssertEqual(TraceFormat.faults(in: events), [])
    let tracks = events.filter { $0["name"] as? String == "thread_name" }
    let main = tracks.first {
      ($0["args"] as? TraceFormat.Event)?["name"] as? String == "com.apple.main-thread"
    }
    let onMain = events.filter {
      $0["cat"] as? String == "handler" && $0["tid"] as? Int == main?["tid"] as? Int
    }
    XCTAssertEqual(onMain.count, 1, "the view is shown in a slice on the main track")
    // The steps for the JSON, the object and the view each begin where the previous step has settled.
    let arrows = events.filter { $0["ph"] as? String == "f" }
    XCTAssertGreaterThanOrEqual(arrows.count, 3)
    let begun = try XCTUnwrap(onMain.first?["ts"] as? Double)
    XCTAssertTrue(
      arrows.contains { $0["tid"] as? Int == main?["tid"] as? Int && $0["ts"] as? Double == begun },
      "an arrow points to the view's handler")
  }
}

// example: readme-chain
func showUser(_ id: Int, in view: UserView) -> Promise {
  Promise { resolver in
    let task = download("users/\(id)") { data, error in resolver.resolve(data, error) }
    resolver.onCancel { _ in task.cancel() }
  }
  .then { (data: Data) in try JSONSerialization.jsonObject(with: data) }
  .then { (json: [String: Any]) in try User(json) }
  .thenOnMain { (user: User) in view.show(user) }
  .catch { error in log("no user \(id): \(error)") }
}
// end

@MainActor
final class UserView {
  private(set) var names: [String] = []

  func show(_ user: User) { names.append(user.name) }
}

struct User {
  let name: String

  init(_ json: [String: Any]) throws {
    guard let name = json["name"] as? String else { throw Missing(name: "name") }
    self.name = name
  }
}

/// A server that records a cancel, and answers on a background thread when the test calls `respond()`.
final class Server: Sendable {
  @TaskLocal static var current = Server(answer: nil)

  let lines = Recorded<[String]>([])
  let wasCancelled = Recorded(false)
  let onLine = Recorded<(@Sendable () -> Void)?>(nil)
  private let answer: Data?
  private let completion = Recorded<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)

  init(answer: Data?) { self.answer = answer }

  func start(_ completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    self.completion.change { $0 = completion }
  }

  func respond() {
    let completion = self.completion.change { completion in
      defer { completion = nil }
      return completion
    }
    DispatchQueue.global().async {
      completion?(self.answer, self.answer == nil ? Missing(name: "user") : nil)
    }
  }

  func cancel() { wasCancelled.change { $0 = true } }
}

private func download(_ path: String, _ completion: @escaping @Sendable (Data?, (any Error)?) -> Void)
  -> Server
{
  let server = Server.current
  server.start(completion)
  loggingServer.change { $0 = server }
  return server
}

/// The server of the current test, to which `log` writes.
private let loggingServer = Recorded<Server?>(nil)

private func log(_ line: String) {
  guard let server = loggingServer.value else { return }
  server.lines.change { $0.append(line) }
  server.onLine.value?()
}
