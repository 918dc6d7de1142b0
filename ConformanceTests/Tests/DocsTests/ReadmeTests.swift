import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import TestSupport
import XCTest

/// The README's program: a task, its JSON, an object, the main queue, an error handler, and a cancel in the
/// middle.
final class ReadmeTests: XCTestCase {
  private let view = UserView()
  private let server = Server()

  override func setUp() { current.change { $0 = server } }

  private func names() -> [String] { MainActor.assumeIsolated { [view] in view.names } }

  func testAUserIsShownOnTheMainThread() throws {
    let chain = showUser(7, in: view)
    server.respond()
    _ = try outcome(of: chain)
    XCTAssertEqual(names(), ["Ann"])
    XCTAssertEqual(server.log.lines, [])
  }

  func testEachErrorReachesOneHandler() throws {
    for answer in [nil, "no JSON", "[1]", #"{"age": 7}"#] {
      let server = Server()
      current.change { $0 = server }
      let chain = showUser(7, in: view)
      server.respond(answer)
      _ = try outcome(of: chain)
      XCTAssertEqual(server.log.lines.count, 1)
      XCTAssertTrue(server.log.lines[0].hasPrefix("no user 7: "))
    }
    XCTAssertEqual(names(), [])
  }

  /// The function returns the end of its chain. A withdrawal of the end's follower cancels the whole chain.
  func testAChainThatAHandlerReturnsIsCancelledWithIt() throws {
    let (view, login) = (view, Promise(on: .immediate))
    // example: readme-compose
    let shown = login.then { _ in showUser(7, in: view) }
    // end
    login.fulfill("session")
    XCTAssertFalse(server.wasCancelled.value)
    // example: readme-compose-cancel
    shown.withdraw()  // stops the download, or the login if it is pending
    // end
    XCTAssertTrue(shown.isCancelled)
    XCTAssertTrue(server.wasCancelled.value)
    server.respond()
    // The inner chain's `catch` logs the cancellation. The test waits for this line.
    waitUntil { !server.log.lines.isEmpty }
    XCTAssertEqual(server.log.lines, ["no user 7: CancellationError()"])
    XCTAssertEqual(names(), [])
  }

  func testACancelInTheMiddleReachesTheTask() throws {
    // example: readme-cancel
    let shown = showUser(7, in: view)
    shown.withdraw()  // no longer wanted
    // end
    XCTAssertTrue(server.wasCancelled.value)
    server.respond()
    _ = try outcome(of: shown)
    XCTAssertTrue(shown.isCancelled)
    XCTAssertEqual(server.log.lines, ["no user 7: CancellationError()"])
    XCTAssertEqual(names(), [])
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

/// A server that records a cancel, and answers on a background thread when the test calls `respond`.
final class Server: Sendable {
  let log = Log()
  let wasCancelled = Recorded(false)
  fileprivate let completion = Recorded<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)

  func respond(_ answer: String? = #"{"name": "Ann"}"#) {
    let completion = completion.value
    DispatchQueue.global().async {
      completion?(answer.map { Data($0.utf8) }, answer == nil ? Missing(name: "user") : nil)
    }
  }

  func cancel() { wasCancelled.change { $0 = true } }
}

/// The server of the current test.
private let current = Recorded(Server())

private func download(_ path: String, _ completion: @escaping @Sendable (Data?, (any Error)?) -> Void)
  -> Server
{
  current.value.completion.change { $0 = completion }
  return current.value
}

private func log(_ line: String) { current.value.log(line) }
