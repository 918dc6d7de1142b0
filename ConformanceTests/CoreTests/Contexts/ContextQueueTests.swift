// Dispatch queues (X2) and other contexts (X3): the rest of `ContextTests`.

import Dispatch
import DynamicPromise
import XCTest

final class ContextQueueTests: XCTestCase {
  // Spec: X2.1
  func testSerialQueueKeepsItsOrderAmongOtherBlocks() {
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

  // Spec: X2.2
  func testBlockEnqueuedByAHandlerRunsBeforeTheNextStep() throws {
    let queue = DispatchQueue(label: "serial")
    for isDefault in [false, true] {
      let trail = Log<String>()
      let first: @Sendable (Any) -> Void = { _ in
        queue.async { trail.append("block") }
        trail.append("first")
      }
      let second: @Sendable (Any) -> Void = { _ in trail.append("second") }
      let root = isDefault ? Promise(on: queue) : Promise()
      let end =
        isDefault ? root.then(first).then(second) : root.thenOn(queue, first).thenOn(queue, second)
      root.fulfill(0)
      _ = try end.outcome().get()
      XCTAssertEqual(trail.all, ["first", "block", "second"])
    }
  }

  // Spec: X2.3
  func testBarrierHandlerWaitsForBlocksInFront() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for kind in BarrierKind.allCases {
      let trail = Log<String>()
      let scheduled = Event()
      queue.async {
        scheduled.wait("scheduling")
        letThePoolRun()
        trail.append("block")
      }
      let promise = kind.promise(queue)
      promise.fulfill(0)
      let child = kind.register(promise, queue) { trail.append("handler") }
      scheduled.signal()
      _ = try child.outcome().get()
      XCTAssertEqual(trail.all, ["block", "handler"], "\(kind)")
    }
  }

  // Spec: X2.3
  func testBlocksBehindABarrierHandlerWait() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for kind in BarrierKind.allCases {
      let trail = Log<String>()
      let promise = kind.promise(queue)
      let child = kind.register(promise, queue) {
        for _ in 0..<4 { queue.async { trail.append("block") } }
        promise.thenOn(queue) { _ in trail.append("handler behind") }
        promise.thenOn(.reading(queue)) { _ in trail.append("reader behind") }
        letThePoolRun()
        trail.append("handler")
      }
      promise.fulfill(0)
      _ = try child.outcome().get()
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(trail.all.first, "handler", "\(kind)")
      XCTAssertEqual(trail.count, 7, "\(kind)")
      // The four blocks run together, the handler behind them alone.
      XCTAssertEqual(trail.all.dropFirst(5), ["handler behind", "reader behind"], "\(kind)")
    }
  }

  // Spec: X2.4
  func testReadingHandlersRunTogether() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let trail = Log<String>()
    let promise = Promise()
    let (left, right) = (Event(), Event())
    let readers = [
      promise.thenOn(.reading(queue)) { _ in
        left.signal()
        right.wait("the other reader")
        letThePoolRun()
        trail.append("reader")
      },
      promise.thenOn(ReadingContext(queue)) { _ in
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

  // Spec: X2.5
  func testThenOnMainRunsOnTheMainThread() { onMainActor(self) { $0.thenOnMainRunsOnTheMainThread() } }

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
  func testGlobalQueueRunsEveryHandlerOnce() {
    let group = DispatchGroup()
    let runs = Log<Int>()
    let promise = Promise()
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

  // Spec: X3.1
  func testForeignContextRunsHandlers() throws {
    let context = OneThread()
    let promise = Promise(on: context)
    let places = Log<String>()
    let end = promise.then { _ in places.append(Stack.marker) }.finally { places.append(Stack.marker) }
    let named = Promise.rejected("no").catchOn(context) { _ in places.append(Stack.marker) }
    promise.fulfill(0)
    _ = try (end.outcome().get(), named.outcome().get())
    XCTAssertEqual(places.all, ["one thread", "one thread", "one thread"])
    XCTAssertEqual(context.jobs.value, 3)
    XCTAssertEqual(try Promise.task(on: context) { Stack.marker }.value(), "one thread")
    XCTAssertEqual(context.jobs.value, 4)
  }

  // Spec: X3.2
  func testNamedContextsReadWell() throws {
    let queue = DispatchQueue(label: "mine")
    let promise = Promise.resolved(1)
    let children = [
      promise.thenOn(.serial("label")) { $0 }, promise.thenOn(.concurrent("label")) { $0 },
      promise.thenOn(queue) { $0 }, promise.thenOn(.reading(queue)) { $0 }, promise.thenOn(.shared) { $0 },
      promise.thenOn(.immediate) { $0 }, promise.finallyOn(.serial("label")) {},
    ]
    for child in children { XCTAssertEqual(try child.value(), 1) }
    XCTAssertEqual(DispatchQueue.serial("label").label, "label")
    XCTAssertEqual(asQueue(.main)?.label, DispatchQueue.main.label)
  }

  // Spec: X3.3
  func testImmediateRunsInPlace() throws {
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

  // Spec: X3.3
  func testASettledPromiseThatAHandlerReturnsIsAsGoodAsItsValue() {
    func order(_ returned: @escaping @Sendable () -> Any) -> [String] {
      let log = Log<String>()
      let promise = Promise(on: .immediate)
      promise.then { _ in returned() }.then { _ in log.append("below the first") }
      promise.then { _ in log.append("second") }
      promise.fulfill(0)
      return log.all
    }
    XCTAssertEqual(order { 1 }, ["second", "below the first"])
    XCTAssertEqual(order { Promise.resolved(1) }, ["second", "below the first"])
  }

  /// Also behind a sibling on another context.
  // Spec: X3.3
  func testSiblingsInPlaceComeFirst() {
    let context = SteppedContext()
    let log = Log<String>()
    let promise = Promise(on: .immediate)
    promise.then { _ in 1 }.then { _ in log.append("below the first") }
    promise.thenOn(context) { _ in log.append("elsewhere") }
    promise.then { _ in log.append("third") }
    promise.fulfill(0)
    XCTAssertEqual(log.all, ["third", "below the first"])
    context.drain()
    XCTAssertEqual(log.all.last, "elsewhere")
  }

  // Spec: X3.3
  func testImmediateChainDoesNotRecurse() throws {
    let (running, nested) = (Counter(), Counter())
    let addresses = Log<UInt>()
    let root = Promise(on: .immediate)
    var tail = root
    for _ in 0..<1000 {
      tail = tail.then { value -> Any in
        if running.value % 2 != 0 { nested.increment() }
        running.increment()
        var here = 0
        withUnsafePointer(to: &here) { addresses.append(UInt(bitPattern: $0)) }
        running.increment()
        return value
      }
    }
    root.fulfill("end")
    XCTAssertEqual(try tail.value(), "end")
    XCTAssertEqual(nested.value, 0)
    XCTAssertEqual(addresses.count, 1000)
    XCTAssertLessThan(addresses.all.max()! - addresses.all.min()!, 16 * 1024)
  }

  // Spec: H6.4
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
}

/// How a handler comes to a concurrent queue.
private enum BarrierKind: CaseIterable {
  case named, inherited, finally

  func promise(_ queue: DispatchQueue) -> Promise { self == .inherited ? Promise(on: queue) : Promise() }

  func register(_ promise: Promise, _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> Promise
  {
    switch self {
    case .named: promise.thenOn(queue) { _ in body() }
    case .inherited: promise.then { _ in body() }
    case .finally: promise.finallyOn(queue) { body() }
    }
  }
}

/// Comes back when the system's pool has run blocks that were enqueued after everything that was enqueued
/// before this call: what could run has run, without a clock.
private func letThePoolRun() {
  for _ in 0..<100 {
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

/// A context of a stranger's making: one thread, woken for each job.
private final class OneThread: ExecutionContext {
  let jobs = Counter()
  private let waiting = SteppedContext()
  private let wake = DispatchSemaphore(value: 0)

  init() {
    let (waiting, wake) = (waiting, wake)
    Thread.detachNewThread {
      Stack.mark("one thread") {
        // The last signal, from deinit, finds no job.
        repeat { wake.wait() } while waiting.step()
      }
    }
  }

  deinit { wake.signal() }

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.increment()
    waiting.execute(job)
    wake.signal()
  }
}
