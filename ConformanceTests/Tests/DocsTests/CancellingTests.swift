import DynamicPromise
import DynamicPromisePatterns
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
  /// Work that ends some time after its cancellation. It counts the runs that overlap.
  private final class Work: Sendable {
    let counts = Recorded((running: 0, peak: 0, ended: 0))

    func run() async throws {
      counts.change {
        $0.running += 1
        $0.peak = max($0.peak, $0.running)
      }
      // The task suspends twenty times, even if it is cancelled.
      for _ in 0..<20 { await Task.yield() }
      counts.change {
        $0.running -= 1
        $0.ended += 1
      }
      try Task.checkCancellation()
    }
  }

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
    try await page.finished().value(as: Void.self)  // no handler, task or clean-up of the chain runs any more
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
    let work = Work()
    // example: cancelling-finished
    @Sendable func stop(_ server: Promise) async throws {
      server.root.cancel("shutting down")
      try await server.root.finished().value(as: Void.self)
    }
    // end
    let server = Promise.resolved(1)
    for _ in 0..<5 { server.then { _ in try await work.run() } }
    try await stop(server)
    XCTAssertEqual(work.counts.value.running, 0)
  }

  func testAQueueOfWidthOne() async throws {
    let (work, disk) = (Work(), Promise())
    @Sendable func save(_ text: String) async throws {
      // Waits until the disk is ready or the task is cancelled.
      _ = try? await disk.value
      try await work.run()
    }
    // example: cancelling-queue
    let queue = TaskQueue(width: 1)
    let first = queue.add { try await save("draft") }
    let second = queue.add { try await save("final") }
    first.cancel()  // `second` starts when the first `save` has returned
    // end
    disk.fulfill(())
    _ = try await second.value
    XCTAssertTrue(first.isCancelled)
    XCTAssertEqual(work.counts.value.peak, 1)
  }

  func testRetries() async throws {
    let (work, never) = (Work(), Promise())
    @Sendable func download() async throws -> String {
      // Waits until the timeout cancels the task.
      _ = try? await never.value
      try await work.run()
      return "text"
    }
    // example: cancelling-retry
    let text = Promise.retry(3) {
      Promise { try await download() }.timeout(0.01, cancelling: true)  // attempts do not overlap
    }
    // end
    let result = await Task { try await text.value(as: String.self) }.result
    XCTAssertThrowsError(try result.get())
    _ = try await text.finished().value
    XCTAssertEqual(work.counts.value.peak, 1)
    XCTAssertEqual(work.counts.value.ended, 3)
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
