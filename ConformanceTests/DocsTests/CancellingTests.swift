import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

/// The examples of the page on cancelling that wait for clean-up.
final class CancellingTests: XCTestCase {
  /// Work that notices a cancellation, but takes its time; it counts how many run at once.
  private actor Work {
    private(set) var running = 0
    private(set) var peak = 0
    private(set) var ended = 0

    func run() async throws {
      running += 1
      peak = max(peak, running)
      // Some suspensions, whether the task is cancelled or not.
      for _ in 0..<20 { await Task.yield() }
      running -= 1
      ended += 1
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
    let running = await work.running
    XCTAssertEqual(running, 0)
  }

  func testAQueueOfWidthOne() async throws {
    let work = Work()
    let disk = Promise()
    @Sendable func save(_ text: String) async throws {
      // Until the disk is there, or the task is cancelled.
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
    let peak = await work.peak
    XCTAssertEqual(peak, 1)
  }

  func testRetries() async throws {
    let work = Work()
    let never = Promise()
    @Sendable func download() async throws -> String {
      // Until the time is over.
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
    let (peak, ended) = await (work.peak, work.ended)
    XCTAssertEqual(peak, 1)
    XCTAssertEqual(ended, 3)
  }

  func testTheEndOfAProgram() async throws {
    let (work, removed) = (Work(), Recorded())
    @Sendable func download() async throws { try await work.run() }
    @Sendable func removePartialFiles() async throws {
      try await work.run()
      await removed.add("removed")
    }
    // example: cancelling-end
    let job = Promise { try await download() }
    job.finally { try await removePartialFiles() }
    job.cancel()
    _ = try await job.finished().value
    // end
    let all = await removed.all
    XCTAssertEqual(all, ["removed"])
  }

  private actor Recorded {
    private(set) var all: [String] = []
    func add(_ text: String) { all.append(text) }
  }
}
