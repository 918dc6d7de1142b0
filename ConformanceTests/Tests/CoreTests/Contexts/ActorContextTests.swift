// Handlers on actors (X3.10 to X3.14, X3.18, X3.19).

import DynamicPromise
import TestSupport
import XCTest

private actor Diary {
  var entries: [String] = []
  var promise: Promise?

  func add(_ entry: String) -> Int {
    entries.append(entry)
    return entries.count
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor Steward {
  let executor = ManualSerialExecutor()
  var handled = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Finishes `seen` on the actor, so that the result is available when the current step has ended.
  func look(_ seen: TaskOutcome) { seen.finish(.success(handled)) }
}

/// An actor whose executor is stepped by hand or uses a queue.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private actor Clerk {
  let executor = ManualSerialExecutor()
  private let queue: QueueExecutor?
  var count = 0

  init(onQueue: Bool = false) { queue = onQueue ? QueueExecutor() : nil }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue?.asUnownedSerialExecutor() ?? executor.asUnownedSerialExecutor()
  }

  func count(_ event: Event) {
    count += 1
    event.signal()
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ActorContextTests: XCTestCase {
  // Spec: X3.10
  func testHandlersAreIsolatedToTheirActor() throws {
    let diary = Diary()
    let child = Promise.resolved(1).thenOn(diary) { diary, value in
      diary.entries.append("\(value)")
      return diary.entries.count
    }
    XCTAssertEqual(try child.value(), 1)
    let caught = Promise.rejected(Failure("no")).catchOn(diary) { (diary, reason: Failure) in
      diary.add(reason.name)
    }
    XCTAssertEqual(try caught.value(), 2)
    XCTAssertEqual(try Promise.resolved(1).thenOn(diary) { diary, _ in diary.entries }.value(), ["1", "no"])
  }

  // Spec: X3.11
  func testHandlersOnAnActorRunInTheOrderOfScheduling() throws {
    let diary = Diary()
    let promises = (0..<500).map { _ in Promise() }
    for (number, promise) in promises.enumerated() {
      if number % 2 == 0 {
        promise.thenOn(diary) { diary, _ in diary.add("\(number)") }
      } else {
        promise.thenOn(.actor(diary)) { _ in diary.assumeIsolated { _ = $0.add("\(number)") } }
      }
    }
    // Tasks of different priorities settle the promises, one after another.
    let priorities: [TaskPriority] = [.low, .high, .medium, .background]
    for (number, promise) in promises.enumerated() {
      let done = Event()
      Task.detached(priority: priorities[number % 4]) {
        promise.fulfill(())
        done.signal()
      }
      done.wait()
    }
    let last = Promise.resolved(1).thenOn(diary) { diary, _ in diary.entries }
    XCTAssertEqual(try last.value(), (0..<500).map { "\($0)" })
  }

  // Spec: X3.12
  func testOtherCallsOfTheActorRunBetweenHandlers() throws {
    let steward = Steward()
    let children = (0..<1000).map { number in
      Promise.resolved(number).thenOn(steward) { steward, _ in steward.handled += 1 }
    }
    // Waits for the executor's job for the handlers. The job of the call comes later, but before the last
    // handlers.
    steward.executor.jobs.waitUntil(count: 1)
    let seen = TaskOutcome()
    Task { await steward.look(seen) }
    steward.executor.jobs.waitUntil(count: 2)
    while !seen.isThere { steward.executor.step() }
    let handled: Int = try seen.value()
    XCTAssertGreaterThan(handled, 0)
    XCTAssertLessThan(handled, 1000)
    while children.contains(where: { $0.isPending }) { steward.executor.step() }
  }

  // Spec: X3.13
  func testAnActorThatRetainsThePromiseIsFreed() throws {
    let reference: WeakReference<Diary>
    let child: Promise
    do {
      let diary = Diary()
      reference = WeakReference(diary)
      let root = Promise()
      child = root.thenOn(diary) { diary, value in diary.add("\(value)") }
      let kept = Promise.resolved(1).thenOn(diary) { diary, _ in diary.promise = child }
      _ = try kept.value() as Any
      root.fulfill(1)
      XCTAssertEqual(try child.value(), 1)
    }
    reference.waitUntilGone()
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: X3.13
  func testAPendingHandlerRetainsItsActor() throws {
    let (root, resolver) = Promise.pending()
    let child = root.thenOn(Diary()) { diary, _ in diary.add("entry") }
    let plain = root.thenOn(.actor(Diary())) { _ in 2 }
    resolver.fulfill(1)
    XCTAssertEqual(try child.value(), 1)
    XCTAssertEqual(try plain.value(), 2)
  }

  // Spec: X3.14
  func testAsynchronousHandlersStayOnTheirActor() throws {
    let diary = Diary()
    let child = Promise.resolved(1).thenOn(diary) { diary, value in
      _ = diary.add("\(value)")
      await Task.yield()
      return diary.add("again")
    }
    XCTAssertEqual(try child.value(), 2)
    let (started, noticed) = (Event(), Event())
    let waiting = Promise.resolved(1).thenOn(diary) { diary, _ in
      started.signal()
      do { _ = try await Promise.resolved(Promise()).value(as: Any.self) } catch { noticed.signal() }
      return diary.add("cancelled")
    }
    started.wait("the start")
    waiting.cancel()
    noticed.wait("the cancellation of the task")
    XCTAssertTrue(waiting.isCancelled)
  }

  /// If a closure does not suspend, the compiler must not choose the asynchronous overload. That overload
  /// starts a task.
  // Spec: X3.18, X3.19
  func testOrdinaryClosuresRunInTheActorsOrder() {
    let clerk = Clerk()
    let (one, failed) = (Promise.resolved(1), Promise.rejected(Failure("no")))
    let children = [
      one.thenOn(clerk) { clerk, _ in clerk.count += 1 },
      one.thenOn(clerk) { (clerk, number: Int) in clerk.count += number },
      failed.catchOn(clerk) { clerk, _ in clerk.count += 1 },
      failed.catchOn(clerk) { (clerk, failure: Failure) in failure.name },
      failed.finallyOn(clerk) { $0.count += 1 }, failed.finallyOn(.actor(clerk)) {},
    ]
    clerk.executor.step()
    XCTAssertEqual(children.map(\.isSettled), children.map { _ in true })
    XCTAssertEqual(clerk.executor.jobs.count, 0)
  }
}
