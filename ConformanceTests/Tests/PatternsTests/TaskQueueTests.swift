import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

/// On the immediate context, a task that need not wait begins before `add` returns.
final class TaskQueueTests: XCTestCase {
  func testATaskThatEndsInsideAHandlerStartsTheNext() {
    let (queue, source, ran) = (TaskQueue(), Promise(), DispatchSemaphore(value: 0))
    queue.add { source }
    queue.add { ran.signal() }
    Promise.resolved(0).thenOn(.immediate) { _ in
      source.fulfill(1)
      XCTAssertEqual(ran.wait(timeout: .now() + 20), .success)
    }
  }

  func testTheNextBeginsWhenThePromiseSettles() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    let one = queue.add { source.next() }
    let two = queue.add { source.next().then { $0 } }
    XCTAssertEqual(source.count, 1)
    XCTAssertEqual(queue.waitingCount, 1)
    source.all[0].fulfill(1)
    XCTAssertEqual(try one.result?.get() as? Int, 1)
    XCTAssertEqual(source.count, 2)
    source.all[1].reject(NumberedError(2))
    XCTAssertThrowsError(try two.result?.get()) { XCTAssertEqual($0 as? NumberedError, NumberedError(2)) }
    XCTAssertEqual(queue.runningCount, 0)
  }

  func testTheResultHasSettledWhenTheNextBegins() throws {
    // A task on the default context may end before the queue starts to wait for it.
    for context in [.immediate, .shared] as [any ExecutionContext] {
      for round in 0..<raceRounds(4000) {
        let queue = TaskQueue(on: context)
        let one = queue.add { () -> Any in round % 3 == 0 ? Promise.delay(1e-6) : round }
        XCTAssertEqual(try value(of: queue.add { one.isSettled }), true)
      }
    }
  }

  func testAQueueTellsWhenItIsIdleAndWhenTheRunningTasksHaveEnded() {
    let (queue, source) = (TaskQueue(width: 2, on: .immediate), Source())
    XCTAssertTrue(queue.idle().isFulfilled && queue.runningEnded().isFulfilled, "nothing was added")
    for _ in 0..<3 { queue.add { source.next() } }
    queue.pause()
    let (idle, ended) = (queue.idle(), queue.runningEnded())
    source.all[0].fulfill()
    XCTAssertTrue(ended.isPending, "the second task runs")
    source.all[1].reject("no")
    XCTAssertTrue(ended.isFulfilled, "the third task need not run")
    XCTAssertTrue(idle.isPending && queue.runningEnded().isFulfilled, "the third task waits")
    queue.resume()
    source.all[2].fulfill()
    XCTAssertTrue(idle.isFulfilled)
    queue.pause()
    let last = queue.add { source.next() }
    let afterwards = queue.idle()
    last.cancel()
    XCTAssertTrue(afterwards.isFulfilled, "a cancelled task waits no longer")
  }

  func testIdleOfAPausedQueueThatIsReleasedIsBroken() {
    let idle = {
      let queue = TaskQueue(on: .immediate)
      queue.pause()
      queue.add { 1 }
      return queue.idle()
    }()
    XCTAssertThrowsError(try idle.result?.get()) { XCTAssertTrue(PromiseError.broken ~= $0) }
  }

  func testLessThanOneIsOne() {
    for width in [0, -1, Int.min] {
      let (queue, source) = (TaskQueue(width: width, on: .immediate), Source())
      for _ in 0..<2 { queue.add { source.next() } }
      XCTAssertEqual(queue.width, 1)
      XCTAssertEqual(source.count, 1)
      queue.width = width
      XCTAssertEqual(queue.width, 1)
    }
  }

  func testTheWidthMayChange() {
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    for _ in 0..<5 { queue.add { source.next() } }
    queue.width = 3
    XCTAssertEqual(source.count, 3)
    queue.width = 1
    source.all[0].fulfill(1)
    source.all[1].fulfill(1)
    XCTAssertEqual(source.count, 3, "one task still runs")
    source.all[2].fulfill(1)
    XCTAssertEqual(source.count, 4)
  }

  func testWhatATaskMayReturn() throws {
    let queue = TaskQueue(on: .immediate)
    XCTAssertEqual(try queue.add { 7 }.result?.get() as? Int, 7)
    XCTAssertTrue(try queue.add {}.result?.get() is Void)
    XCTAssertNil(try value(of: queue.add { Int?.none }, as: Int?.self))
    let optional = queue.add { Promise?.some(.resolved("inside")) }
    XCTAssertEqual(try optional.result?.get() as? String, "inside")
    XCTAssertEqual(try reason(of: queue.add { NumberedError(1) }), NumberedError(1))
    let thrown = queue.add { () throws -> Promise in throw NumberedError(2) }
    XCTAssertEqual(try reason(of: thrown), NumberedError(2))
    XCTAssertEqual(queue.runningCount, 0)
  }

  func testAsynchronousTasks() throws {
    let (queue, gate) = (TaskQueue(), Promise())
    let log = Recorded<[String]>([])
    let one = queue.add { () async throws -> Promise in
      _ = try await gate.value
      log.append("one")
      return Promise.delay(1e-3).then { log.append("and its promise") }
    }
    let two = queue.add { () async throws -> Int in
      log.append("two")
      throw NumberedError(2)
    }
    let three = queue.add { log.append("three") }
    gate.fulfill(1)
    _ = try outcome(of: three)
    XCTAssertTrue(one.isFulfilled)
    XCTAssertEqual(try reason(of: two), NumberedError(2))
    XCTAssertEqual(log.value, ["one", "and its promise", "two", "three"])
  }

  func testACancelledAsynchronousTaskKeepsItsPlaceUntilItReturns() throws {
    let (queue, gate) = (TaskQueue(), Promise())
    let (begun, told) = (expectation(description: "begun"), expectation(description: "told"))
    let log = Recorded<[String]>([])
    let one = queue.add { () async throws -> Void in
      begun.fulfill()
      // The closure continues to wait after the Swift task is cancelled.
      await withTaskCancellationHandler {
        await withCheckedContinuation { going in gate.then { going.resume() } }
      } onCancel: {
        told.fulfill()
      }
      log.append(Task.isCancelled ? "cancelled" : "not cancelled")
    }
    wait(for: [begun], timeout: 20)
    one.cancel()
    XCTAssertTrue(one.isCancelled)
    let two = queue.add { log.append("two") }
    XCTAssertTrue(two.isPending)
    // If the queue has no promise of the closure yet, the queue cancels the Swift task later.
    wait(for: [told], timeout: 20)
    gate.fulfill(1)
    _ = try outcome(of: two)
    XCTAssertEqual(log.value, ["cancelled", "two"])
  }

  func testWhereTasksRun() throws {
    let context = TestContext()
    let queue = TaskQueue(on: context)
    let result = queue.add { 1 }
    let doubled = result.then { $0 as! Int * 2 }
    XCTAssertEqual(context.pendingJobs, 1)
    XCTAssertTrue(result.isPending)
    context.drain()
    XCTAssertEqual(try doubled.result?.get() as? Int, 2)
    // If the context drops a job, the promise is broken, and the next task still runs.
    let dropped = queue.add { 1 }
    let next = queue.add { 2 }
    context.dropAll()
    guard case .failure(PromiseError.broken)? = dropped.result else { return XCTFail("\(dropped)") }
    context.drain()
    XCTAssertEqual(try next.result?.get() as? Int, 2)
  }

  func testPausing() {
    let (queue, source) = (TaskQueue(width: 2, on: .immediate), Source())
    queue.add { source.next() }
    queue.pause()
    queue.pause()
    XCTAssertTrue(queue.isPaused)
    queue.add { source.next() }
    source.all[0].fulfill(1)
    XCTAssertEqual(source.count, 1)
    queue.resume()
    XCTAssertFalse(queue.isPaused)
    XCTAssertEqual(source.count, 2)
    queue.resume()
    XCTAssertEqual(source.count, 2)
  }

  func testABarrierRunsAlone() {
    let (queue, source) = (TaskQueue(width: 3, on: .immediate), Source())
    let log = Recorded<[Int]>([])
    @Sendable func task(_ number: Int) -> Promise {
      log.append(number)
      return source.next()
    }
    for number in 0..<2 { queue.add { task(number) }.ignoreErrors() }
    queue.addBarrier { task(2) }
    queue.addBarrier { task(3) }
    for number in 4..<6 { queue.add { task(number) } }
    XCTAssertEqual(log.value, [0, 1], "a third task has room, but the barrier comes first")
    source.all[1].fulfill(1)
    XCTAssertEqual(log.value, [0, 1])
    source.all[0].reject(NumberedError(0))
    XCTAssertEqual(log.value, [0, 1, 2])
    source.all[2].fulfill(1)
    XCTAssertEqual(log.value, [0, 1, 2, 3])
    source.all[3].fulfill(1)
    XCTAssertEqual(log.value, [0, 1, 2, 3, 4, 5])
  }

  func testABarrierInAnEmptyQueue() throws {
    let queue = TaskQueue()
    XCTAssertEqual(try value(of: queue.addBarrier { () async throws -> Int in 1 }), 1)
    XCTAssertEqual(try value(of: queue.addBarrier { 2 }), 2)
  }

  func testALostRejectionIsReported() {
    let (losses, former) = (Recorded<[String]>([]), Promise.onUnhandledRejection)
    defer { Promise.onUnhandledRejection = former }
    Promise.onUnhandledRejection = { loss in losses.append("\(loss)") }
    let (queue, source) = (TaskQueue(on: .immediate), Source())
    queue.add { source.next() }
    source.all[0].reject(NumberedError(7))
    queue.add { throw NumberedError(8) }.catch { _ in }
    XCTAssertEqual(losses.value.count, 1)
    XCTAssertTrue(losses.value.first?.contains("number: 7") == true && losses.value[0].contains(#fileID))
  }

  func testAWaitingTaskIsShownAsWaiting() {
    let census = Census()
    let queue = TaskQueue(on: .immediate)
    let first = queue.add { Promise(on: .immediate).named("work") }.named("first")
    let second = queue.add { 2 }.named("second")
    let paths = census.waitPaths.filter { $0.contains("second") }
    XCTAssertEqual(paths.count, 1)
    XCTAssertTrue(paths[0].hasPrefix("second waits for first in a queue of width 1 → "), "\(paths)")
    // A task that waits for its own queue waits for itself.
    let third = queue.add { queue.add { 4 }.named("inner") }.named("outer")
    first.cancel()
    XCTAssertTrue(second.isFulfilled)
    let rings = census.waitPaths.filter { $0.hasSuffix("which waits for itself") }
    XCTAssertEqual(rings.count, 1, "\(census.waitPaths)")
    third.cancel()
  }

  func testATaskInPlaceHoldsUpTheNext() {
    let (queue, log) = (TaskQueue(width: 2, on: .immediate), Recorded<[String]>([]))
    queue.add {
      queue.add { log.append("second") }
      log.append("first")
    }
    XCTAssertEqual(log.value, ["first", "second"])
  }
}
