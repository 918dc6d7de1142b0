import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

/// Examples that wait for clean-up, from the page on cancelling.
final class CancellingTests: XCTestCase {
  /// Work that ends some time after its cancellation. It counts the runs that overlap.
  private final class Work: Sendable {
    private let counts = Recorded((running: 0, peak: 0, ended: 0))
    var running: Int { counts.value.running }
    var peak: Int { counts.value.peak }
    var ended: Int { counts.value.ended }

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
    XCTAssertEqual(work.running, 0)
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
    XCTAssertEqual(work.peak, 1)
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
    XCTAssertEqual(work.peak, 1)
    XCTAssertEqual(work.ended, 3)
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
}
