import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Waits for a promise while the run loop runs.
final class RunLoopWaitTests: XCTestCase {
  func testTheMainQueueContinuesMeanwhile() {
    let chain = Promise.resolved(0)
      .thenOnMain { $0 as! Int + 1 }
      .then { $0 as! Int + 1 }
      .thenOnMain { $0 as! Int + 1 }
      .thenOn(.mainRunLoop) { $0 as! Int + 1 }
    chain.runLoopWait()
    XCTAssertEqual(try chain.result?.get() as? Int, 4)
  }

  func testAnotherThreadsLoop() {
    let done = Event()
    let rounds = 100
    // The thread's loop has no other work. The loop must neither spin nor return, and the settlement must
    // wake it.
    Thread {
      for round in 0..<rounds {
        let promise = Promise()
        DispatchQueue.global().async { promise.fulfill(round) }
        promise.runLoopWait()
        XCTAssertTrue(promise.isFulfilled)
      }
      done.signal()
    }.start()
    done.wait("the thread")
  }

  func testATimeoutLeavesNothingBehind() {
    let gone = Recorded(false)
    var promise: Promise? = Promise(onCancel: nil, onAbandon: { gone.change { $0 = true } })
    XCTAssertEqual(promise?.runLoopWait(timeout: 0.001), false)
    promise = nil
    XCTAssertTrue(gone.value, "a leftover handler would retain the promise")
  }

  // Spec: H10.7
  func testOddTimeouts() {
    let promise = Promise()
    let hasRun = Recorded(false)
    DispatchQueue.main.async { hasRun.change { $0 = true } }
    for odd in [0, -0.0, -1, -Double.infinity, .nan] { XCTAssertFalse(promise.runLoopWait(timeout: odd)) }
    XCTAssertFalse(hasRun.value, "these waits do not run the loop")
    promise.fulfill(1)
    for odd in [0, -1, Double.nan, .infinity] { XCTAssertTrue(promise.runLoopWait(timeout: odd)) }
    for huge in [1e300, Double.infinity, .greatestFiniteMagnitude] {
      let later = Promise()
      DispatchQueue.global().async { later.fulfill(1) }
      XCTAssertTrue(later.runLoopWait(timeout: huge))
    }
  }

  func testNestedWaits() {
    let (outer, inner) = (Promise(), Promise())
    let log = Recorded<[String]>([])
    let nested = Promise.resolved(0).thenOn(.mainRunLoop) {
      // The outer wait must notice this settlement, although the inner loop runs first.
      outer.fulfill(0)
      DispatchQueue.global().async { inner.fulfill(0) }
      inner.runLoopWait()
      log.append("inner")
    }
    outer.runLoopWait()
    log.append("outer")
    XCTAssertTrue(nested.runLoopWait(timeout: patience))
    XCTAssertEqual(log.value, ["inner", "outer"])
  }
}
