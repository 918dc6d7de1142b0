// The statements of RXPromise's documents about chains: sequential tasks, error propagation, parents and
// roots, abandoned tasks, and trees that share a queue.

import DynamicPromise
import XCTest

final class RXPromiseChainTests: XCTestCase {
  /// Tasks that a chain starts one by one, and that a test settles.
  private final class Tasks: Sendable {
    let started = Log<String>()
    let promises = (0..<4).map { _ in Promise() }

    func start(_ number: Int, _ input: Any) -> Promise {
      started.append("\(number): \(input)")
      return promises[number]
    }

    /// A chain of four tasks. Each task receives the result of the previous task.
    func chain(on context: SteppedContext) -> (root: Promise, end: Promise) {
      let root = Promise(on: context)
      let end = root.then { self.start(0, $0) }.then { self.start(1, $0) }.then { self.start(2, $0) }
        .then { self.start(3, $0) }
      return (root, end)
    }
  }

  // Spec: R3.1
  func testEachTaskStartsWithTheResultOfTheOneBefore() throws {
    let tasks = Tasks()
    let context = SteppedContext()
    let (root, end) = tasks.chain(on: context)
    root.fulfill("in")
    var expected = ["0: in"]
    for (number, result) in ["a", "b", "c", "d"].enumerated() {
      context.drain()
      XCTAssertEqual(tasks.started.all, expected)
      XCTAssertTrue(end.isPending)
      tasks.promises[number].fulfill(result)
      expected.append("\(number + 1): \(result)")
    }
    context.drain()
    XCTAssertEqual(try end.value(), "d")
    XCTAssertEqual(tasks.started.count, 4)
  }

  // Spec: R3.2
  func testAFailureOfAnyTaskArrivesAtTheEnd() throws {
    for failing in 0..<4 {
      let tasks = Tasks()
      let context = SteppedContext()
      let (root, chained) = tasks.chain(on: context)
      let failure = Failure()
      let heard = Log<any Error>()
      let end = chained.then { _ in XCTFail("the chain has no value") }.catch { reason in
        heard.append(reason)
        return "handled"
      }
      root.fulfill("in")
      for number in 0..<failing {
        context.drain()
        tasks.promises[number].fulfill(number)
      }
      context.drain()
      tasks.promises[failing].reject(failure)
      context.drain()
      XCTAssertEqual(tasks.started.count, failing + 1, "no further task starts")
      XCTAssertTrue(heard.all.count == 1 && heard.all.first as? Failure === failure)
      XCTAssertEqual(try end.value(), "handled")
    }
  }

  // Spec: R3.3
  func testAnErrorThatIsReturnedAgainIsPassedOn() throws {
    let failure = Failure()
    let log = Log<String>()
    let end = Promise.rejected(failure)
      .catch { reason -> any Error in
        log.append("first")
        return reason
      }
      .then { _ in log.append("never") }
      .catch { reason in
        log.append("second")
        return nil
      }
      .then { value in "\(value)" }
    XCTAssertEqual(try end.value(), "nil", "a handler that returns nil has handled the error")
    XCTAssertEqual(log.all, ["first", "second"])
  }

  // Spec: R2.1, R2.2
  func testParentsAndRoots() {
    let root = Promise()
    let child = root.then { $0 }
    let grandchild = child.catch { _ in }
    let siblings = [root.thenOn(.main) { $0 }, root.thenOnMain { _ in }, root.finally {}]
    XCTAssertNil(root.parent)
    XCTAssertTrue(root.root === root)
    XCTAssertTrue(child.parent === root && grandchild.parent === child)
    XCTAssertTrue(siblings.allSatisfy { $0.parent === root })
    XCTAssertTrue((siblings + [child, grandchild]).allSatisfy { $0.root === root })
    XCTAssertNil(child.follower().parent, "a follower is not a child")
  }

  // Spec: R4.9, L1.5
  func testATaskIsReleasedWhenItsLastObserverLeaves() {
    let abandoned = Counter()
    let observers = { () -> [Promise] in
      let promise = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
      return (0..<3).map { _ in promise.then { _ in XCTFail("the handler of a cancelled child ran") } }
    }()
    for (number, observer) in observers.enumerated() {
      XCTAssertEqual(abandoned.value, 0, "\(3 - number) observers are left")
      observer.cancel()
    }
    XCTAssertEqual(abandoned.value, 1)
  }

  // Spec: X2.1, R5.2
  func testHandlersOfManyTreesOnOneSerialQueueTakeTurns() throws {
    final class Account: @unchecked Sendable { var balance = 0 }
    let account = Account()
    let queue = DispatchQueue(label: "account")
    let all = (0..<4).flatMap { _ -> [Promise] in
      let root = Promise()
      let children = (0..<50).map { _ in root.thenOn(queue) { _ in account.balance += 1 } }
      DispatchQueue.global().async { root.fulfill(1) }
      return children
    }
    for child in all { _ = try child.outcome().get() }
    XCTAssertEqual(queue.sync { account.balance }, 200)
  }
}
