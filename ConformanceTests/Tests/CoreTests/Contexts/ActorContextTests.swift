// Tests of actors as execution contexts.

import DynamicPromise
import XCTest

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

  // Spec: X3.10
  func testHandlersThatDoNotTouchTheActor() throws {
    let diary = Diary()
    let check: @Sendable () -> Void = { diary.assertIsolated() }
    let root = Promise(on: .actor(diary))
    let child = root.then { $0 }.then { value in
      check()
      return value
    }
    let both = child.thenOn(.actor(diary), { _ in check() }, { _ in XCTFail("rejected") })
    let caught = both.then { _ in throw Failure() }.catchOn(.actor(diary)) { _ in
      check()
      return 2
    }
    root.fulfill(1)
    XCTAssertEqual(try child.value(), 1)
    XCTAssertEqual(try caught.value(), 2)
  }

  // Spec: X3.10
  @MainActor
  func testTheMainActorIsAnActor() async throws {
    let child = Promise.resolved("text").thenOn(MainActor.shared) { _, value in
      MainActor.assertIsolated()
      XCTAssertTrue(Thread.isMainThread)
      return value
    }
    let text = try await child.value(as: String.self)
    XCTAssertEqual(text, "text")
  }

  // Spec: X3.11
  func testHandlersRunInTheOrderOfScheduling() throws {
    let diary = Diary()
    let root = Promise()
    let others = (0..<500).map { _ in Promise() }
    // Handlers of one promise, on the actor itself and on `.actor(diary)`.
    for number in 0..<500 {
      if number % 2 == 0 {
        root.thenOn(diary) { diary, _ in diary.add("\(number)") }
      } else {
        root.thenOn(.actor(diary)) { _ in diary.assumeIsolated { _ = $0.add("\(number)") } }
      }
    }
    // Tasks of different priorities settle many promises, one after another.
    for (number, promise) in others.enumerated() {
      promise.thenOn(diary) { diary, _ in diary.add("\(500 + number)") }
    }
    root.fulfill(())
    let priorities: [TaskPriority] = [.low, .high, .medium, .background]
    for (number, promise) in others.enumerated() {
      let done = Event()
      Task.detached(priority: priorities[number % 4]) {
        promise.fulfill(())
        done.signal()
      }
      done.wait()
    }
    let last = Promise.resolved(1).thenOn(diary) { diary, _ in diary.entries }
    XCTAssertEqual(try last.value(), (0..<1000).map { "\($0)" })
  }

  // Spec: X3.11
  func testManyThreadsScheduleOnOneActor() {
    let diary = Diary()
    race(lanes: 3, rounds: 500) { round in
      let children = Log<(lane: Int, promise: Promise)>()
      let lane: @Sendable (Int) -> Void = { lane in
        for number in 0..<4 {
          children.append(
            (lane, Promise.resolved(number).thenOn(diary) { diary, _ in diary.add("\(lane)") }))
        }
      }
      let check = {
        var places: [Int: [Int]] = [:]
        for (lane, child) in children.all { places[lane, default: []].append(try child.value()) }
        for list in places.values { XCTAssertEqual(list, list.sorted(), "round \(round)") }
        XCTAssertEqual(
          places.values.flatMap { $0 }.sorted(), Array((round * 12 + 1)...(round * 12 + 12)),
          "round \(round): each handler runs once and alone")
      }
      return ((0..<3).map { number in { lane(number) } }, check)
    }
  }

  // Spec: X3.11
  func testHandlersNeverRunOnTheStackThatSchedules() throws {
    let (diary, mark, children) = (Diary(), StackMark(), Log<Promise>())
    let first = Promise.resolved(1).thenOn(diary) { diary, _ in
      mark.during {
        for _ in 0..<100 {
          children.append(Promise.resolved(1).thenOn(diary) { _, _ in XCTAssertFalse(mark.isSet) })
        }
      }
    }
    _ = try first.value() as Any
    for child in children.all { _ = try child.value() as Any }
    XCTAssertEqual(children.count, 100)
  }

  // Spec: X3.12
  func testOthersGetATurnBetweenHandlers() throws {
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
  func testAnActorThatKeepsThePromiseIsFreed() throws {
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
  func testAPendingHandlerHoldsItsActor() throws {
    let (root, resolver) = Promise.pending()
    let child = root.thenOn(Diary()) { diary, _ in diary.add("entry") }
    let plain = root.thenOn(.actor(Diary())) { _ in 2 }
    resolver.fulfill(1)
    XCTAssertEqual(try child.value(), 1)
    XCTAssertEqual(try plain.value(), 2)
  }

  // Spec: X3.13, C9.1
  func testAWithdrawnHandlerFreesItsActor() throws {
    let root = Promise()
    let (reference, child) = {
      let diary = Diary()
      return (WeakReference(diary), root.thenOn(diary) { diary, _ in diary.add("no") })
    }()
    XCTAssertNotNil(reference.object)
    child.cancel()
    XCTAssertNil(reference.object)
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
}

private actor Diary {
  var entries: [String] = []
  var promise: Promise?

  func add(_ entry: String) -> Int {
    entries.append(entry)
    return entries.count
  }
}

private actor Steward {
  let executor = ManualSerialExecutor()
  var handled = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Finishes `seen` on the actor, so that the result is available when the current step has ended.
  func look(_ seen: TaskOutcome) { seen.finish(.success(handled)) }
}
