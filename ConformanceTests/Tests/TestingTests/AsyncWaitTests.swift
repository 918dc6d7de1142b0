import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import XCTest

/// A timeout in seconds, long enough for a busy machine.
private let patience = 60.0

/// Async tests that wait for promises that other threads and tasks settle.
final class AsyncWaitTests: XCTestCase {
  func testSuspendsUntilAThreadHasEnqueuedAJob() async throws {
    let context = TestContext()
    let (text, resolver) = Promise.pending(on: context)
    let count = text.then { (text: String) in text.count }
    DispatchQueue.global().async { resolver.fulfill("seven") }
    try await context.nextJob(timeout: patience)
    XCTAssertEqual(context.pendingJobs, 1, "the wait runs no job")
    XCTAssertTrue(count.isPending)
    context.drain()
    let value = try await count.value(as: Int.self)
    XCTAssertEqual(value, 5)
  }

  @MainActor
  func testATestOnTheMainActorLetsTheMainQueueRun() async throws {
    let context = TestContext()
    let shown = Promise.resolved(1, on: context).thenOnMain { (x: Int) in x + 1 }
    let last = shown.then { (x: Int) in x * 10 }
    try await context.nextJob(timeout: patience)
    context.drain()
    XCTAssertEqual(try last.result?.get() as? Int, 20)
  }

  func testTheTimeoutAndACancelEndTheWait() async throws {
    let context = TestContext()
    for timeout in [0, -1, .nan, 0.001] {
      do {
        try await context.nextJob(timeout: timeout)
        XCTFail("no job is there")
      } catch PromiseError.timeout {}
    }
    let start = ContinuousClock.now
    for _ in 0..<200 {
      let waiting = Task { try await context.nextJob(timeout: patience) }
      if Bool.random() { await Task.yield() }
      waiting.cancel()
      guard case .failure(is CancellationError) = await waiting.result else {
        return XCTFail("not cancelled")
      }
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(patience), "a cancel did not end the wait")
    context.execute {}
    try await context.nextJob(timeout: 1)
    try await context.nextJob(timeout: -1)
  }

  func testManyWaitsBlockNoThread() async throws {
    // There are more waits than threads in the pool. If the waits blocked threads, the task that enqueues the
    // jobs would never run.
    let contexts = (0..<500).map { _ in TestContext() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for context in contexts { group.addTask { try await context.nextJob(timeout: patience) } }
      group.addTask {
        for context in contexts { context.execute {} }
      }
      try await group.waitForAll()
    }
  }

  func testATimerThatIsNeverDueDoesNotEndTheWait() async throws {
    let context = TestContext()
    _ = context.schedule(after: .infinity) {}
    context.execute {}
    do {
      try await context.nextTimer(timeout: 0.001)
      XCTFail("the timer is never due")
    } catch PromiseError.timeout {}
    _ = context.schedule(after: 1) {}
    try await context.nextTimer(timeout: .zero)
  }
}
