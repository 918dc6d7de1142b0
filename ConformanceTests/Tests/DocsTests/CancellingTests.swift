import DynamicPromise
import TestSupport
import XCTest

// example: cancellable
enum DialogueError: CancellableError {
  case closed, invalidInput

  var isCancelled: Bool { self == .closed }
}
// end

/// The examples of `docs/cancelling.md`.
final class CancellingTests: XCTestCase {
  func testTheFirstDisappointment() {
    let download = Download()
    // example: disappointment
    let text = text(of: download)
    let page = text.then { (text: String) in try parse(text) }
    page.cancel()  // `page` is cancelled, but the download continues
    // end
    XCTAssertTrue(page.isCancelled && text.isPending)
    XCTAssertFalse(download.wasStopped)
  }

  func testTheStopIdiom() async throws {
    let download = Download()
    // example: stop-idiom
    let page = text(of: download).then { (text: String) in try parse(text) }
    page.withdraw()
    try await page.finished().value(as: Void.self)
    // no handler, Swift task or clean-up of the chain runs any more
    // end
    XCTAssertTrue(page.isCancelled && download.wasStopped)
  }

  func testWithdrawThatReturnsFalse() {
    let download = Download()
    // example: withdraw-false
    let page = text(of: download)
    let length = page.then { (text: String) in text.count }
    let stopped = page.withdraw()  // false: `length` uses the page
    length.cancel()  // the last user leaves, so the download stops now
    // end
    XCTAssertFalse(stopped)
    XCTAssertTrue(download.wasStopped)
  }

  func testStoppingATree() async throws {
    let running = Recorded(0)
    // example: cancelling-finished
    @Sendable func stop(_ server: Promise) async throws {
      server.root.cancel("shutting down")
      try await server.root.finished().value(as: Void.self)
    }
    // end
    let server = Promise.resolved(1)
    for _ in 0..<5 {
      server.then { _ in
        running.increment()
        for _ in 0..<20 { await Task.yield() }
        running.change { $0 -= 1 }
      }
    }
    try await stop(server)
    XCTAssertEqual(running.value, 0)
  }

  func testConsumers() {
    let (login, shared) = (Promise(on: .immediate), Promise())
    // example: consumers
    let first = login.then { _ in shared }
    let second = login.then { _ in shared }
    // end
    login.fulfill("ann")
    // example: consumers-cancel
    first.cancel()  // `shared` continues, for `second`
    second.cancel()  // now `shared` is cancelled
    // end
    XCTAssertTrue(shared.isCancelled)
  }

  func testWanted() async throws {
    let download = Download()
    // example: wanted
    let page = text(of: download).cancelsWhenUnwanted()
    let reader = Task { try await page.value(as: String.self) }
    let length = page.then { (text: String) in text.count }
    // end
    // example: wanted-cancel
    reader.cancel()  // the download continues, for `length`
    length.cancel()  // the download stops
    // end
    _ = await reader.result
    try await page.finished().value(as: Void.self)
    XCTAssertTrue(page.isCancelled && download.wasStopped)
  }

  func testShielded() throws {
    let login = Promise(on: .immediate)
    let connection = Promise()
    @Sendable func connect(_ name: Any) -> Promise { connection }
    // example: shielded
    let session = login.then { name in connect(name) }.shielded()
    let request = session.then { session in load("greeting of \(session)") }
    // end
    login.fulfill("ann")
    Promise.resolved(request).cancel()
    XCTAssertTrue(request.isCancelled)
    XCTAssertTrue(session.isPending && connection.isPending)
    connection.fulfill("ann")
    let next = session.then { session in load("greeting of \(session)") }
    XCTAssertEqual(try value(of: next), "hello, ann")
  }

  func testAnErrorThatMeansACancellation() throws {
    let input = Promise.rejected(DialogueError.closed)
    XCTAssertTrue(input.isCancelled)
    XCTAssertEqual(try value(of: input.catch { _ in "nobody" }), "nobody")
  }
}
