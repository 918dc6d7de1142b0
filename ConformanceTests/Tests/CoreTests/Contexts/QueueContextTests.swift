// Handlers on Dispatch queues and named contexts (X2, X3.1 to X3.3), and their order (A4).

import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Waits until the system's pool has run `count` new blocks, one after another. Blocks that were enqueued
/// before this call have time to run in the meantime.
func letThePoolRun(blocks count: Int = 100) {
  for _ in 0..<count {
    let ran = Event()
    DispatchQueue.global().async { ran.signal() }
    ran.wait("block of a global queue")
  }
}

@MainActor
private final class MainState {
  var notes: [String] = []
  func note(_ what: String) { notes.append("\(what) \(Thread.isMainThread)") }
}

/// Runs its jobs on the system's pool. `Stack.marker` is the position of the job in the scheduling order.
private struct NumberingContext: ExecutionContext {
  let count = Counter()

  func execute(_ job: @escaping @Sendable () -> Void) {
    let number = count.value
    count.increment()
    DispatchQueue.global().async { Stack.mark("\(number)") { job() } }
  }
}

/// Runs its jobs at once. Its `deinit` increments `freed`.
private final class CountedContext: ExecutionContext {
  private let freed: Counter

  init(_ freed: Counter) { self.freed = freed }

  func execute(_ job: @escaping @Sendable () -> Void) { job() }

  deinit { freed.increment() }
}

final class QueueContextTests: XCTestCase {
  // Spec: X2.1
  func testASerialQueueKeepsItsOrderAmongOtherBlocks() {
    let queue = DispatchQueue(label: "serial")
    let overlap = Overlap()
    let promise = Promise()
    queue.suspend()
    promise.thenOn(queue) { _ in overlap.run(1) }
    queue.async { overlap.run(0) }
    promise.fulfill(0)
    for number in stride(from: 2, to: 300, by: 3) {
      queue.async { overlap.run(number) }
      promise.thenOn(queue) { _ in overlap.run(number + 1) }
      Promise.rejected("no").catchOn(queue) { _ in overlap.run(number + 2) }
    }
    queue.async { overlap.run(302) }
    queue.resume()
    queue.sync {}
    XCTAssertEqual(overlap.order, Array(0...302))
    XCTAssertEqual(overlap.most, 1)
  }

  // Spec: X2.3, R5.3
  func testABarrierHandlerRunsAlone() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for isSettledFirst in [false, true] {
      let (trail, scheduled) = (Log<String>(), Event())
      queue.async {
        scheduled.wait("scheduling")
        letThePoolRun()
        trail.append("block in front")
      }
      let promise = Promise(on: queue)
      if isSettledFirst { promise.fulfill(0) }
      let child = promise.finally {
        for _ in 0..<4 { queue.async { trail.append("block") } }
        promise.thenOn(queue) { _ in trail.append("handler behind") }
        promise.thenOn(.reading(queue)) { _ in trail.append("reader behind") }
        letThePoolRun()
        trail.append("handler")
      }
      if !isSettledFirst { promise.fulfill(0) }
      scheduled.signal()
      _ = try child.outcome().get()
      queue.sync(flags: .barrier) {}
      // The four blocks may overlap. The handler behind the blocks runs alone.
      let expected =
        ["block in front", "handler"] + Array(repeating: "block", count: 4)
        + ["handler behind", "reader behind"]
      XCTAssertEqual(trail.all, expected, "settled first: \(isSettledFirst)")
    }
  }

  // Spec: X2.4
  func testReadingHandlersRunTogether() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let (trail, promise) = (Log<String>(), Promise())
    let (left, right) = (Event(), Event())
    let readers = [
      promise.thenOn(.reading(queue)) { _ in
        left.signal()
        right.wait("the other reader")
        letThePoolRun()
        trail.append("reader")
      },
      promise.thenOn(.reading(queue)) { _ in
        right.signal()
        left.wait("the other reader")
        trail.append("reader")
      },
    ]
    let writer = promise.thenOn(queue) { _ in
      trail.append("writer begins")
      queue.async { trail.append("block") }
      letThePoolRun()
      trail.append("writer ends")
    }
    let last = promise.thenOn(.reading(queue)) { _ in trail.append("late reader") }
    promise.fulfill(0)
    for child in readers + [writer, last] { _ = try child.outcome().get() }
    queue.sync(flags: .barrier) {}
    XCTAssertEqual(Array(trail.all.prefix(4)), ["reader", "reader", "writer begins", "writer ends"])
    XCTAssertEqual(Set(trail.all.suffix(2)), ["late reader", "block"])
  }

  // Spec: X2.5, R5.4
  func testHandlersOnMainRunOnTheMainThread() { onMainActor(self) { $0.thenOnMainRunsOnTheMainThread() } }

  @MainActor private func thenOnMainRunsOnTheMainThread() {
    let done = expectation(description: "main handlers")
    let state = MainState()
    DispatchQueue.global().async {
      Promise.resolved(1)
        .thenOnMain { _ in state.note("thenOnMain") }
        .thenOnMain { _ in throw Failure() }
        .catchOnMain { _ in state.note("catchOnMain") }
        .finallyOnMain { state.note("finallyOnMain") }
        .thenOn(.main) { _ in MainActor.assumeIsolated { state.note("thenOn(.main)") } }
        .then { _ in XCTAssertFalse(Thread.isMainThread) }
        .thenOnMain { _ in done.fulfill() }
    }
    wait(for: [done], timeout: patience)
    XCTAssertEqual(
      state.notes, ["thenOnMain true", "catchOnMain true", "finallyOnMain true", "thenOn(.main) true"])
  }

  // Spec: X2.6
  func testAGlobalQueueRunsEveryHandlerOnce() {
    let (group, runs, promise) = (DispatchGroup(), Log<Int>(), Promise())
    for number in 0..<300 {
      if number == 150 { promise.fulfill(0) }
      group.enter()
      promise.thenOn(DispatchQueue.global()) { _ in
        runs.append(number)
        group.leave()
      }
    }
    XCTAssertEqual(group.wait(timeout: .now() + patience), .success)
    XCTAssertEqual(runs.all.sorted(), Array(0..<300))
  }

  // Spec: X3.3
  func testImmediateHandlersRunInPlace() throws {
    let places = Log<String>()
    let promise = Promise(on: .immediate)
    let early = promise.then { _ in places.append(Stack.marker) }
    Stack.mark("fulfil") { promise.fulfill(0) }
    XCTAssertTrue(early.isFulfilled)
    let late = Stack.mark("then") { promise.then { _ in places.append(Stack.marker) } }
    XCTAssertTrue(late.isFulfilled)
    let single = Stack.mark("thenOn") {
      Promise.resolved(0).thenOn(.immediate) { _ in places.append(Stack.marker) }
    }
    XCTAssertTrue(single.isFulfilled)
    XCTAssertEqual(places.all, ["fulfil", "then", "thenOn"])
  }

  // Spec: H6.4, X3.1
  func testEachOperatorRunsOnItsContext() {
    let names = ["then", "both", "catch", "finally", "failing"]
    let contexts = names.map { _ in SteppedContext() }
    let trail = Log<String>()
    @Sendable func note(_ name: String) { trail.append("\(name) on \(Stack.marker)") }
    let promise = Promise()
    let end = promise.thenOn(contexts[0]) { _ in note("then") }
      .thenOn(contexts[1], { _ in note("both") }, { _ in })
      .thenOn(contexts[4]) { _ in
        note("failing")
        throw Failure()
      }
      .catchOn(contexts[2]) { _ in note("catch") }
      .finallyOn(contexts[3]) { note("finally") }
    promise.fulfill(0)
    for index in [0, 1, 4, 2, 3] {
      XCTAssertEqual(contexts.map(\.pendingJobs), contexts.indices.map { $0 == index ? 1 : 0 })
      Stack.mark(names[index]) { contexts[index].drain() }
    }
    XCTAssertEqual(
      trail.all,
      ["then on then", "both on both", "failing on failing", "catch on catch", "finally on finally"])
    XCTAssertTrue(end.isFulfilled)
  }

  private func asQueue(_ context: some ExecutionContext) -> DispatchQueue? { context as? DispatchQueue }

  // Spec: A4.1
  func testHandlersAreScheduledInTheOrderOfTheirThenCalls() {
    for isFulfilled in [true, false] {
      let (context, order) = (SteppedContext(), Log<Int>())
      let promise = Promise(on: context)
      func register(_ numbers: Range<Int>) {
        for number in numbers {
          switch number % 3 {
          case 0: promise.then({ _ in order.append(number) }, { _ in order.append(number) })
          case 1: promise.finally { order.append(number) }
          default:
            promise.onSuccess { _ in }.thenOn(
              context, { _ in order.append(number) }, { _ in order.append(number) })
          }
        }
      }
      register(0..<20)
      if isFulfilled { promise.fulfill(0) } else { promise.reject(Failure()) }
      register(20..<40)
      context.step()
      register(40..<60)
      context.drain()
      XCTAssertEqual(order.all, Array(0..<60))
    }
  }

  /// Some handlers inherit the queue; others are added with `thenOn(queue)`. On a concurrent queue, each
  /// handler is a barrier.
  // Spec: A4.2, A4.3, R5.2
  func testHandlersOnAQueueRunInOrder() {
    for attributes: DispatchQueue.Attributes in [[], .concurrent] {
      let queue = DispatchQueue(label: "handlers", attributes: attributes)
      let overlap = Overlap()
      let promise = Promise(on: queue)
      func register(_ numbers: Range<Int>) {
        for number in numbers {
          if number % 3 == 0 {
            promise.then { _ in overlap.run(number) }
          } else {
            promise.thenOn(queue) { _ in overlap.run(number) }
          }
        }
      }
      register(0..<200)
      promise.fulfill(0)
      register(200..<400)
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(overlap.order, Array(0..<400))
      XCTAssertEqual(overlap.most, 1)
    }
  }

  // Spec: A4.5
  func testHandlersAreScheduledInOrderOnAConcurrentContext() {
    let context = NumberingContext()
    let group = DispatchGroup()
    let order = Log<(scheduled: Int, registered: Int)>()
    let promise = Promise(on: context)
    func register(_ numbers: Range<Int>) {
      for number in numbers {
        group.enter()
        promise.then { _ in
          order.append((Int(Stack.marker) ?? -1, number))
          group.leave()
        }
      }
    }
    register(0..<300)
    promise.fulfill(0)
    register(300..<600)
    XCTAssertEqual(group.wait(timeout: .now() + patience), .success)
    let sorted = order.all.sorted { $0.scheduled < $1.scheduled }
    XCTAssertEqual(sorted.map(\.scheduled), Array(0..<600))
    XCTAssertEqual(sorted.map(\.registered), Array(0..<600))
  }

  // Spec: X3.8
  func testOnlyPromisesRetainTheirContext() {
    let freed = Counter()
    var promises = {
      let context = CountedContext(freed)
      let root = Promise(on: context)
      root.fulfill(1)
      return [root, root.then { $0 }, root.thenOn(.immediate) { $0 }, Promise.all([1], on: context)]
    }()
    XCTAssertEqual(freed.value, 0)
    promises = []
    XCTAssertEqual(freed.value, 1)
    XCTAssertEqual(promises.count, 0)
  }
}
