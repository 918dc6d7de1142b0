import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

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

  func testStoppingATree() async throws {
    let work = Work()
    // example: cancelling-finished
    @Sendable func stop(_ server: Promise) async throws {
      server.root.cancel("shutting down")
      _ = try await server.root.finished().value
      // Here no handler, task or clean-up of the tree runs any more.
    }
    // end
    let server = Promise.resolved(1)
    for _ in 0..<5 { server.then { _ in try await work.run() } }
    try await stop(server)
    XCTAssertEqual(work.counts.value.running, 0)
  }

  func testAQueueOfWidthOne() async throws {
    let work = Work()
    let disk = Promise()
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
    let work = Work()
    let never = Promise()
    @Sendable func download() async throws -> String {
      // Waits until the timeout cancels the task.
      _ = try? await never.value
      try await work.run()
      return "text"
    }
    // example: cancelling-retry
    let text = Promise.retry(3) {
      Promise { try await download() }.timeout(0.01, cancelling: true)
    }
    // end
    let result = await Task { try await text.value(as: String.self) }.result
    XCTAssertThrowsError(try result.get())
    _ = try await text.finished().value
    XCTAssertEqual(work.counts.value.peak, 1)
    XCTAssertEqual(work.counts.value.ended, 3)
  }

  func testTheEndOfAProgram() async throws {
    let (work, removed) = (Work(), Recorded(0))
    @Sendable func download() async throws { try await work.run() }
    @Sendable func removePartialFiles() async throws {
      try await work.run()
      removed.increment()
    }
    // example: cancelling-end
    let job = Promise { try await download() }
    job.finally { try await removePartialFiles() }
    job.cancel()
    _ = try await job.finished().value
    // end
    XCTAssertEqual(removed.value, 1)
  }

  func testBind() throws {
    let other = Promise()
    // example: bind
    let outer = Promise()
    outer.bind(other)
    outer.cancel()  // cancels `other` as well: it has no other consumer
    // end
    XCTAssertTrue(other.isCancelled)
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
    // example: wanted-reader
    reader.cancel()  // the download continues, for `length`
    // end
    _ = await reader.result
    XCTAssertFalse(download.wasStopped)
    // example: wanted-cancel
    length.cancel()  // the download stops, because no consumer is left
    // end
    XCTAssertTrue(page.isCancelled)
    XCTAssertTrue(download.wasStopped)
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
}
