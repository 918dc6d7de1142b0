// `.mainImmediate` (X5) runs handlers in place if the caller is on the main queue. Otherwise it enqueues them
// on the main queue.

import Dispatch
import DynamicPromise
import XCTest

final class MainImmediateTests: XCTestCase {
  // Spec: X5.5, X3.5
  func testRunsInPlaceOnTheMainQueue() {
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
  func testIsEnqueuedFromElsewhere() {
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

  /// A user's context may call `execute` directly.
  // Spec: X5.5
  func testJobsOfOtherCallers() {
    let log = Log<Bool>()
    let ran = expectation(description: "ran")
    MainImmediateContext().execute { log.append(Thread.isMainThread) }
    XCTAssertEqual(log.all, [true], "the job runs at once")
    DispatchQueue.global().async {
      MainImmediateContext().execute {
        log.append(Thread.isMainThread)
        ran.fulfill()
      }
    }
    wait(for: [ran], timeout: patience)
    XCTAssertEqual(log.all, [true, true])
  }

  // Spec: X5.6
  func testChainsDoNotRecurse() {
    let root = Promise()
    var tail = root
    for _ in 0..<depthBeyondTheStack { tail = tail.thenOn(.mainImmediate) { _ in 1 } }
    root.fulfill(0)
    XCTAssertTrue(tail.isFulfilled)
  }
}
