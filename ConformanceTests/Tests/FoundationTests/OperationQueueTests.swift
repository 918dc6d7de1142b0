import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Operation queues as contexts.
final class OperationQueueTests: XCTestCase {
  // Spec: X1.11
  func testEndlessChainsDelayNoOtherHandlerAndNoTimer() {
    for width in [1, 2] { checkFairness(of: OperationQueue.operations("fairness", width: width)) }
  }

  // Spec: X3.4.1, R5.6
  func testWidthOneKeepsItsOrderAmongOtherOperations() {
    let queue = OperationQueue.operations("order", width: 1)
    queue.isSuspended = true
    let log = Recorded<[String]>([])
    let promise = Promise.resolved(0)
    var last = promise
    for index in 0..<50 {
      last = promise.thenOn(queue) { _ in
        log.append("handler \(index) begins")
        log.append("handler \(index) ends")
      }
      queue.addOperation {
        log.append("operation \(index) begins")
        log.append("operation \(index) ends")
      }
    }
    queue.isSuspended = false
    _ = last.outcome()
    queue.waitUntilAllOperationsAreFinished()
    let expected = (0..<50).flatMap { index in
      ["handler", "operation"].flatMap { ["\($0) \(index) begins", "\($0) \(index) ends"] }
    }
    XCTAssertEqual(log.value, expected)
  }

  // Spec: X3.4.2, R5.6
  func testHandlersOnAWiderQueueOverlap() {
    let promise = Promise()
    let (first, second) = (Event(), Event())
    let queue = OperationQueue.operations("wide", width: 2)
    let met = [
      promise.thenOn(queue) {
        first.signal()
        return second.wait("the second handler")
      },
      promise.thenOn(queue) {
        second.signal()
        return first.wait("the first handler")
      },
    ]
    promise.fulfill(0)
    for child in met { XCTAssertEqual(try child.outcome().get() as? Bool, true) }
  }

  // Spec: X3.4.2, H10.7
  func testWidthIsKept() {
    let queue = OperationQueue.operations("three", width: 3)
    let counts = Recorded((now: 0, most: 0))
    let promise = Promise()
    let children = (0..<60).map { _ in
      promise.thenOn(queue) { _ in
        counts.change {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        counts.change { $0.now -= 1 }
      }
    }
    promise.fulfill(0)
    for child in children { _ = child.outcome() }
    XCTAssertLessThanOrEqual(counts.value.most, 3)
    XCTAssertEqual(OperationQueue.operations("none", width: 0).maxConcurrentOperationCount, 1)
    XCTAssertEqual(OperationQueue.operations("less", width: -1).maxConcurrentOperationCount, 1)
  }

  // Spec: X3.4.1, X1.4, X3.4
  func testHandlersRunAsOperationsOfTheQueue() {
    let queue = OperationQueue.operations("default", width: 1)
    let root = Promise(on: queue)
    let end = root.then { _ in OperationQueue.current === queue }
      .then { isHere in isHere as! Bool && OperationQueue.current === queue }
    root.fulfill(0)
    XCTAssertEqual(try end.outcome().get() as? Bool, true)
  }

  // Spec: X3.4.3
  func testCancelledOperationBreaksItsChild() {
    let queue = OperationQueue.operations("cancelled", width: 1)
    queue.isSuspended = true
    let promise = Promise.resolved(0)
    let dropped = promise.thenOn(queue) { _ in XCTFail("ran") }
    queue.cancelAllOperations()
    let later = promise.thenOn(queue) { _ in 1 }
    queue.isSuspended = false
    dropped.assertBroken()
    XCTAssertEqual(try later.outcome().get() as? Int, 1)
  }
}
