// What RXPromise's documents promise of cancelling chains and trees: at the root or in the middle, before and
// after the root has settled, with promises that follow others, in sequences and loops.

import Dispatch
import DynamicPromise
import XCTest

final class RXPromiseCancelTests: XCTestCase {
  /// root -> a -> (b -> (c, d), e)
  private struct Tree {
    let root: Promise
    let a, b, c, d, e: Promise
    let context = SteppedContext()

    init() {
      root = Promise(on: context)
      a = root.then { $0 }
      b = a.then { $0 }
      c = b.then { $0 }
      d = b.then { $0 }
      e = a.then { $0 }
    }

    var cancelled: [Bool] { [root, a, b, c, d, e].map(\.isCancelled) }
    var pending: [Bool] { [root, a, b, c, d, e].map(\.isPending) }
  }

  // Spec: C1.1, C2.6, R4.2
  func testRootBeforeItHasSettled() {
    let tree = Tree()
    tree.root.cancel()
    XCTAssertEqual(tree.cancelled, [true, true, true, true, true, true])
  }

  // Spec: C3.1, C3.2, R4.3
  func testRootAfterItHasSettled() {
    let tree = Tree()
    tree.root.fulfill(1)
    tree.root.cancel()
    XCTAssertEqual(tree.cancelled, [false, true, true, true, true, true])
    XCTAssertTrue(tree.root.isFulfilled)
    XCTAssertEqual(tree.context.pendingJobs, 1)
    tree.context.drain()
    XCTAssertEqual(tree.cancelled, [false, true, true, true, true, true])
  }

  // Spec: C3.1, C3.2, R4.3
  func testRootAfterPartOfTheTreeHasSettled() {
    let tree = Tree()
    tree.root.fulfill(1)
    tree.context.step()
    XCTAssertEqual(tree.pending, [false, false, true, true, true, true])
    tree.context.step()
    XCTAssertEqual(tree.pending, [false, false, false, true, true, true])
    tree.root.cancel()
    XCTAssertEqual(tree.cancelled, [false, false, false, true, true, true])
  }

  // Spec: C5.1, C2.6, R4.4
  func testInTheMiddle() throws {
    let tree = Tree()
    tree.b.cancel("not wanted")
    XCTAssertEqual(tree.cancelled, [false, false, true, true, true, false])
    tree.root.fulfill(1)
    tree.context.drain()
    XCTAssertEqual(try tree.e.value(), 1)
    XCTAssertEqual(try tree.a.value(), 1)
    XCTAssertEqual("\(try tree.d.reason())", "cancelled: not wanted")
  }

  // Spec: C3.2, C5.1, R4.4
  func testInTheMiddleAfterItHasSettled() throws {
    let tree = Tree()
    tree.root.fulfill(1)
    tree.context.step()
    tree.context.step()
    tree.b.cancel()
    XCTAssertEqual(tree.cancelled, [false, false, false, true, true, false])
    tree.context.drain()
    XCTAssertEqual(try tree.e.value(), 1)
  }

  // Spec: C2.1, C2.4, R4.1
  func testErrorHandlersHearTheReasonDownTheChain() {
    let log = Log<String>()
    let context = SteppedContext()
    let root = Promise(on: context)
    let end = root.catch { reason in log.append("first \(reason)") }
      .catch { reason -> Failure in
        log.append("second \(reason)")
        return Failure("replaced")
      }
      .then { _ in log.append("never") }
      .catch { reason in log.append("third \((reason as? Failure)?.name ?? "")") }
    root.cancel("enough")
    context.drain()
    XCTAssertEqual(
      log.all, ["first cancelled: enough", "second cancelled: enough", "third replaced"])
    XCTAssertTrue(end.isCancelled)
  }

  // Spec: C4.2, C4.3, C3.4, R4.6
  func testTheTaskOfAHandlersPromiseIsCancelled() {
    let context = SteppedContext()
    let reasons = Log<String>()
    let root = Promise(on: context)
    let task = Promise(onCancel: { reasons.append("\($0)") })
    let end = root.then { _ in task }.then { $0 }
    root.fulfill(1)
    context.drain()
    XCTAssertTrue(end.isPending)
    root.cancel("enough")
    XCTAssertTrue(end.isCancelled && task.isCancelled && root.isFulfilled)
    XCTAssertEqual(reasons.all, ["cancelled: enough"])
  }

  // Spec: C4.1, C4.6, C5.1, R4.7
  func testATreeBelowAPromiseThatFollowsAnother() {
    let (task, bound) = (Promise(), Promise())
    let below = bound.then { $0 }
    let elsewhere = task.catch { $0 }
    bound.bind(task)
    below.cancel()
    XCTAssertTrue(bound.isPending && task.isPending && elsewhere.isPending)
    bound.cancel("enough")
    XCTAssertTrue(task.isCancelled)
    _ = elsewhere.outcome()
    XCTAssertTrue(elsewhere.isCancelled)
  }

  // Spec: K5.5, R6.3
  func testCancellingASequenceCancelsTheTaskThatRuns() {
    let tasks = Log<Promise>()
    let reasons = Log<String>()
    let (begun, cancelled) = (Event(), Event())
    let sequence = Promise.sequence([1, 2, 3]) { _ -> Promise in
      let task = Promise(onCancel: {
        reasons.append("\($0)")
        cancelled.signal()
      })
      tasks.append(task)
      begun.signal()
      return task
    }
    begun.wait("first task")
    tasks.all[0].fulfill(1)
    begun.wait("second task")
    sequence.cancel("enough")
    XCTAssertTrue(sequence.isCancelled)
    cancelled.wait("forwarding")
    XCTAssertEqual(reasons.all, ["cancelled: enough"])
    XCTAssertEqual(tasks.count, 2)
  }

  // Spec: K6.5, R6.3
  func testCancellingALoopCancelsTheTaskThatRuns() {
    let tasks = Log<Promise>()
    let reasons = Log<String>()
    let (begun, cancelled) = (Event(), Event())
    let loop = Promise.repeat { () -> Promise in
      let task = Promise(onCancel: {
        reasons.append("\($0)")
        cancelled.signal()
      })
      tasks.append(task)
      begun.signal()
      return task
    }
    for round in 0..<3 {
      begun.wait("task \(round)")
      if round < 2 { tasks.all[round].fulfill(round) }
    }
    loop.cancel("enough")
    cancelled.wait("forwarding")
    XCTAssertEqual(reasons.all, ["cancelled: enough"])
    XCTAssertEqual(tasks.count, 3)
    XCTAssertTrue(loop.isCancelled)
  }
}
