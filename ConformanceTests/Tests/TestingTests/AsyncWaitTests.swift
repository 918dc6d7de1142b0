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
    let arrived = await context.nextJob(timeout: patience)
    XCTAssertTrue(arrived)
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
    let arrived = await context.nextJob(timeout: patience)
    XCTAssertTrue(arrived)
    context.drain()
    XCTAssertEqual(try last.result?.get() as? Int, 20)
  }

  func testTheTimeoutAndACancelEndTheWait() async {
    let context = TestContext()
    for timeout in [0, -1, .nan, 0.001] {
      let arrived = await context.nextJob(timeout: timeout)
      XCTAssertFalse(arrived)
    }
    let start = ContinuousClock.now
    for _ in 0..<200 {
      let waiting = Task { await context.nextJob(timeout: patience) }
      if Bool.random() { await Task.yield() }
      waiting.cancel()
      let arrived = await waiting.value
      XCTAssertFalse(arrived)
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(patience), "a cancel did not end the wait")
    context.execute {}
    let (arrived, isThere) = (
      await context.nextJob(timeout: 1), await context.nextJob(timeout: -1)
    )
    XCTAssertTrue(arrived && isThere)
  }

  func testManyWaitsBlockNoThread() async {
    // There are more waits than threads in the pool. If the waits blocked threads, the task that enqueues the
    // jobs would never run.
    let contexts = (0..<500).map { _ in TestContext() }
    let arrived = await withTaskGroup(of: Bool.self) { group in
      for context in contexts { group.addTask { await context.nextJob(timeout: patience) } }
      group.addTask {
        for context in contexts { context.execute {} }
        return true
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    XCTAssertEqual(arrived, 501)
  }

  func testATimerThatIsNeverDueDoesNotEndTheWait() async {
    let context = TestContext()
    _ = context.schedule(after: .infinity) {}
    context.execute {}
    let early = await context.nextTimer(timeout: 0.001)
    XCTAssertFalse(early)
    _ = context.schedule(after: 1) {}
    let isSet = await context.nextTimer(timeout: .zero)
    XCTAssertTrue(isSet)
  }
}
