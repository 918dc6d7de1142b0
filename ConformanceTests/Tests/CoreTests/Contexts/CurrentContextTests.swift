// `.current` and `.mainImmediate` (X5).

import Dispatch
import DynamicPromise
import XCTest

final class CurrentContextTests: XCTestCase {
  private static let key = DispatchSpecificKey<String>()
  /// Never freed, because the main queue keeps what is stored under its address.
  private static let mainKey = DispatchSpecificKey<Bool>()

  /// The name of the test queue that runs the caller, or "elsewhere".
  private static var place: String { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }

  private func queue(_ name: String, _ attributes: DispatchQueue.Attributes = []) -> DispatchQueue {
    let queue = DispatchQueue(label: name, attributes: attributes)
    queue.setSpecific(key: Self.key, value: name)
    return queue
  }

  /// Registers a handler on `.current` inside a handler on `context`. Returns where the inner handler runs.
  private func successor(
    on context: some ExecutionContext, of other: Promise = .resolved(1)
  ) throws -> String {
    let chain = Promise.resolved(0).thenOn(context) { _ in other.thenOn(.current) { _ in Self.place } }
    return try chain.value()
  }

  // Spec: X5.1, X3.5
  func testCurrentIsTheQueueOfTheHandler() throws {
    // Global queues count as "elsewhere". The default context of this promise is the queue "another".
    let elsewhere = Promise.resolved(1, on: queue("another"))
    XCTAssertEqual(try successor(on: queue("serial")), "serial")
    XCTAssertEqual(try successor(on: queue("serial"), of: elsewhere), "serial")
    XCTAssertEqual(try successor(on: queue("concurrent", .concurrent)), "concurrent")
    XCTAssertEqual(try successor(on: .reading(queue("read", .concurrent))), "read")
    XCTAssertEqual(try successor(on: .shared, of: elsewhere), "elsewhere")
    XCTAssertEqual(try successor(on: DispatchQueue.global(), of: elsewhere), "elsewhere")
  }

  // Spec: X5.2
  func testOutsideOfHandlersCurrentIsTheDefault() throws {
    XCTAssertTrue(Thread.isMainThread)
    let root = Promise.resolved(1, on: queue("model"))
    XCTAssertEqual(try root.thenOn(.current) { _ in Self.place }.value(), "model")
    XCTAssertEqual(try Promise.resolved(1).thenOn(.current) { _ in Self.place }.value(), "elsewhere")
    XCTAssertEqual(try Promise.task(on: .current) { Self.place }.value(), "elsewhere")
  }

  // Spec: X5.1
  func testAHandlerInPlaceKeepsItsContextWhileAnotherOneIsStepped() {
    let (first, second) = (SteppedContext(), SteppedContext())
    Promise.resolved(0).thenOn(second) { _ in }
    Promise.resolved(0).thenOn(first) { _ in
      Promise.resolved(0).thenOn(.immediate) { _ in Promise.resolved(0).thenOn(.current) { _ in } }
      second.step()
    }
    first.step()
    XCTAssertEqual([first.pendingJobs, second.pendingJobs], [1, 0])
  }

  // Spec: X5.3
  func testCurrentIsCapturedWhereItIsWritten() throws {
    let second = queue("second")
    let chain = Promise.resolved(0).thenOn(queue("first")) { _ -> Promise in
      let here: CurrentContext = .current
      return Promise.resolved(0).thenOn(second) { _ in
        Promise.resolved(1).thenOn(here) { _ in Self.place }
      }
    }
    XCTAssertEqual(try chain.value(), "first")
  }

  // Spec: X5.4
  func testPromisesDoNotRetainAQueueThatTheyHaveUsed() throws {
    let freed = Event()
    let key = DispatchSpecificKey<Canary>()
    do {
      let used = queue("used")
      used.setSpecific(key: key, value: Canary { freed.signal() })
      XCTAssertEqual(try successor(on: used), "used")
    }
    freed.wait("the release of the queue")
  }

  /// Registers a handler on `.current`. Returns the index of the context that receives the handler's job.
  private static func place(among contexts: [SteppedContext]) -> Int? {
    let before = contexts.map(\.pendingJobs)
    Promise.resolved(1).thenOn(.current) { _ in }
    return contexts.indices.first { contexts[$0].pendingJobs > before[$0] }
  }

  // Spec: X5.7, X5.1
  func testAJobInsideAnotherHasItsOwnContext() throws {
    let contexts = [SteppedContext(), SteppedContext()]
    let places = Log<Int?>()
    Promise.resolved(0).thenOn(contexts[0]) { _ in
      places.append(Self.place(among: contexts))
      Promise.resolved(1).thenOn(contexts[1]) { _ in places.append(Self.place(among: contexts)) }
      contexts[1].step()
      places.append(Self.place(among: contexts))
    }
    contexts[0].step()
    places.append(Self.place(among: contexts))
    XCTAssertEqual(places.all, [0, 1, 0, nil])
  }

  // Spec: X5.1
  func testAHandlerInPlaceBelowAJobIsInsideTheContextOfTheJob() {
    let (contexts, places) = ([SteppedContext()], Log<Int?>())
    let child = Promise.resolved(0).thenOn(contexts[0]) { _ in }
    child.thenOn(.immediate) { _ in places.append(Self.place(among: contexts)) }
    contexts[0].step()
    XCTAssertEqual(places.all, [0])
  }

  // Spec: X5.2
  func testATaskThatAHandlerStartsIsOutside() throws {
    let contexts = [SteppedContext()]
    let places = Log<Int?>()
    let started = Promise.resolved(0).thenOn(contexts[0]) { _ -> Promise in
      Promise { () async -> Void in
        places.append(Self.place(among: contexts))
        await Task.yield()
        places.append(Self.place(among: contexts))
      }
    }
    let asynchronous = Promise.resolved(0).thenOn(contexts[0]) { (_: Int) async -> Void in
      places.append(Self.place(among: contexts))
    }
    contexts[0].drain()
    _ = try started.outcome().get()
    _ = try asynchronous.outcome().get()
    XCTAssertEqual(places.all, [nil, nil, nil])
  }

  // Spec: X5.5, X3.5
  func testMainImmediateRunsInPlaceOnTheMainQueue() {
    XCTAssertTrue(Thread.isMainThread)
    let (log, pending) = (Log<Int>(), Promise())
    let first = pending.thenOn(.mainImmediate) { _ in log.append(1) }
    let second = first.thenOn(.mainImmediate) { _ in log.append(2) }
    pending.fulfill(0)
    XCTAssertEqual(log.all, [1, 2])
    XCTAssertTrue(second.isFulfilled)
    second.thenOn(.mainImmediate) { _ in log.append(3) }
    XCTAssertEqual(log.all, [1, 2, 3])
  }

  // Spec: X5.5
  func testMainImmediateEnqueuesFromElsewhere() {
    let (log, settled) = (Log<String>(), Event())
    let ran = expectation(description: "ran")
    let pending = Promise()
    pending.thenOn(.mainImmediate) { _ in
      log.append(Thread.isMainThread ? "main" : "elsewhere")
      ran.fulfill()
    }
    DispatchQueue.global().async {
      pending.fulfill(0)
      settled.signal()
    }
    settled.wait("settling")
    // The handler cannot have run yet, because the test blocks the main thread.
    XCTAssertEqual(log.all, [])
    wait(for: [ran], timeout: patience)
    XCTAssertEqual(log.all, ["main"])
  }

  // Spec: X5.6
  func testChainsOnMainImmediateDoNotRecurse() {
    let root = Promise()
    var tail = root
    for _ in 0..<depthBeyondTheStack { tail = tail.thenOn(.mainImmediate) { _ in 1 } }
    root.fulfill(0)
    XCTAssertTrue(tail.isFulfilled)
  }

  // Spec: X5.1, X5.5
  func testCurrentIsTheMainQueueInABodyThatACancelElsewhereStarts() {
    let ran = expectation(description: "ran")
    DispatchQueue.main.setSpecific(key: Self.mainKey, value: true)
    let child = Promise().finallyOn(.mainImmediate) {
      Promise.resolved(1).thenOn(.current) { _ in
        XCTAssertEqual(DispatchQueue.getSpecific(key: Self.mainKey), true)
        ran.fulfill()
      }
    }
    DispatchQueue.global().async { child.cancel() }
    wait(for: [ran], timeout: patience)
  }

  // Spec: X5.1, X3.8
  func testCurrentRetainsTheActorOfAHandler() throws {
    actor Home {}
    let (gate, inner) = (Promise(), Promise())
    let outer = Promise.resolved(1).thenOn(Home()) { _, _ in inner.bind(gate.thenOn(.current) { 7 }) }
    XCTAssertEqual(try outer.value(), true)
    gate.fulfill(1)
    XCTAssertEqual(try inner.value(), 7)
  }
}
