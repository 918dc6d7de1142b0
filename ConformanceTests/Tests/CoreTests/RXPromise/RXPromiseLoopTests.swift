// The statements of RXPromise's documents about sequences and loops: forwarded reasons, and cancels
// of the result and of its children.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class RXPromiseLoopTests: XCTestCase {
  /// A sequence or a loop over tasks that a test settles. `started` contains all started tasks.
  private struct Work {
    let result: Promise
    let started: Log<Promise>
    let heard: Log<String>
    let context: SteppedContext

    /// Makes a sequence or a loop of at most four tasks.
    init(isLoop: Bool) {
      let (started, heard, context) = (Log<Promise>(), Log<String>(), SteppedContext())
      let start: @Sendable () -> Promise = {
        let task = Promise(onCancel: { heard.append("\($0)") })
        started.append(task)
        return task
      }
      (self.started, self.heard, self.context) = (started, heard, context)
      result =
        isLoop
        ? Promise.repeat(on: context) { () -> Promise? in started.count < 4 ? start() : nil }
        : Promise.sequence([1, 2, 3, 4], on: context) { _ in start() }
    }

    func advance(to count: Int) {
      context.drain()
      for number in 0..<count {
        started.all[number].fulfill(number)
        context.drain()
      }
    }
  }

  // Spec: R6.2
  func testTheReasonOfATaskIsForwarded() throws {
    for isLoop in [false, true] {
      for failing in 0..<4 {
        let work = Work(isLoop: isLoop)
        let failure = Failure()
        let child = work.result.catch { $0 }
        work.advance(to: failing)
        work.started.all[failing].reject(failure)
        work.context.drain()
        XCTAssertTrue(try work.result.reason() as? Failure === failure)
        XCTAssertFalse(work.result.isCancelled)
        XCTAssertTrue(try child.reason() as? Failure === failure)
        XCTAssertEqual(work.started.count, failing + 1, "no further task starts")
      }
    }
  }

  // Spec: R6.3
  func testACancellationIsForwardedToTheTaskThatRuns() throws {
    for isLoop in [false, true] {
      for running in 0..<4 {
        let work = Work(isLoop: isLoop)
        let below = work.result.then { $0 }
        work.advance(to: running)
        work.result.cancel("enough")
        work.context.drain()
        XCTAssertEqual(work.heard.all, ["cancelled: enough"])
        XCTAssertEqual(work.started.count, running + 1)
        XCTAssertEqual(work.started.all.map(\.isCancelled), (0...running).map { $0 == running })
        XCTAssertEqual("\(try work.result.reason())", "cancelled: enough")
        XCTAssertEqual("\(try below.reason())", "cancelled: enough")
      }
    }
  }

  // Spec: R6.4
  func testCancelsBelowDoNotStopIt() {
    for isLoop in [false, true] {
      let work = Work(isLoop: isLoop)
      let (below, other) = (work.result.then { $0 }, work.result.then { $0 })
      work.advance(to: 2)
      below.cancel()
      work.context.drain()
      XCTAssertEqual(work.heard.count, 0)
      for number in 2...3 {
        work.started.all[number].fulfill(number)
        work.context.drain()
      }
      XCTAssertTrue(work.result.isFulfilled && other.isFulfilled && below.isCancelled)
    }
  }

  // MARK: A sequence of chains

  /// RXPromise's Sample 5, with its own clock: each task of a sequence returns a chain. Each input becomes a
  /// task of half a second.
  private final class Sample: Sendable {
    let clock = TestContext()
    let printed = Log<String>()
    let stopped = Log<String>()

    func asyncTask(_ input: String) -> Promise {
      let promise = Promise(on: clock)
      let stop = clock.schedule(after: 0.5) { [weak promise] in promise?.fulfill(input.uppercased()) }
      promise.catch { [stopped] _ in
        stop()
        stopped.append(input)
      }
      return promise
    }

    func sequence() -> Promise {
      Promise.sequence(["a", "b", "c", "d"], on: clock) { (input: String) in
        self.asyncTask(input).then { [printed = self.printed] (result: String) in printed.append(result) }
      }
    }
  }

  // Spec: R6.3, R6.6, K5.5
  func testASequenceOfChainsIsCancelled() {
    let sample = Sample()
    let finished = sample.sequence()
    sample.clock.advance(by: 1.25)
    finished.cancel()
    sample.clock.drain()
    XCTAssertEqual(
      sample.stopped.all, ["c"], "the cancel reaches the root of the chain that the task returned")
    XCTAssertEqual(sample.clock.pendingTimers, 0)
    sample.clock.advance(by: 10)
    XCTAssertEqual(sample.printed.all, ["A", "B"])
  }

  // Spec: R6.5, K3.3
  func testASequenceWithATimeout() throws {
    let sample = Sample()
    let timer = Promise.delay(1.25, PromiseError.timeout, on: sample.clock)
    let finished = Promise.race([sample.sequence(), timer], cancellingInputs: true)
    sample.clock.advance(by: 10)
    guard case PromiseError.timeout = try finished.reason() else { return XCTFail("\(finished)") }
    XCTAssertEqual(sample.printed.all, ["A", "B"])
    XCTAssertEqual(sample.stopped.all, ["c"])
    XCTAssertEqual(sample.clock.pendingTimers, 0)
  }
}
