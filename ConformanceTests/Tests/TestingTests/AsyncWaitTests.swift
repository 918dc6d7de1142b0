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

  /// A chain that hops between the context, the main queue and an actor.
  private func hopping(_ context: TestContext, _ steps: Int) -> Promise {
    actor Desk {}
    let desk = Desk()
    return (0..<steps).reduce(Promise.resolved(0, on: context)) { chain, _ in
      chain.then { $0 }.thenOnMain { (x: Int) in x + 1 }.thenOn(desk) { _, x in x }.thenOnMain { $0 }
    }
  }

  func testSettleRunsWhatHopsBetweenTheContextTheMainQueueAndActors() async throws {
    let context = TestContext()
    let last = hopping(context, 20)
    let later = last.delay(1).then { $0 }
    try await context.settle()
    XCTAssertEqual(try last.result?.get() as? Int, 20)
    XCTAssertTrue(later.isPending, "the clock does not move")
    context.advance(by: 1)
    XCTAssertTrue(later.isFulfilled)
  }

  @MainActor
  func testSettleRunsJobsOnTheCallersActor() async throws {
    let context = TestContext()
    let last = hopping(context, 3)
    let own = last.then { _ in MainActor.assumeIsolated { 1 } }
    try await context.settle()
    XCTAssertTrue(own.isFulfilled)
  }

  func testSettleEndsByItsTimeoutOrACancel() async throws {
    final class Endless: Sendable {
      func run(_ context: TestContext) { context.execute { self.run(context) } }
    }
    let context = TestContext()
    Endless().run(context)
    do {
      try await context.settle(timeout: 0.01)
      XCTFail("the context is never quiet")
    } catch PromiseError.timeout {}
    let waiting = Task { try await context.settle(timeout: patience) }
    waiting.cancel()
    guard case .failure(is CancellationError) = await waiting.result else { return XCTFail("not cancelled") }
    context.dropAll()
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
