// RXPromise's Sample 5 in Swift: each task of a sequence returns a chain. A cancel or a timeout stops the
// sequence and the current timer.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class RXPromiseSampleTests: XCTestCase {
  /// The sample with its own clock. Each input becomes a task of half a second.
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
