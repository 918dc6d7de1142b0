// Handlers on executors (X3.15 to X3.17, X3.30).

import Dispatch
import DynamicPromise
import TestSupport
import XCTest

private enum Mark { @TaskLocal static var current = "none" }

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class ExecutorContextTests: XCTestCase {
  // Spec: X3.15
  func testHandlersRunOnAnExecutor() {
    let (serial, concurrent) = (ManualSerialExecutor(), ManualTaskExecutor())
    let executors: [(context: ExecutorContext, step: () -> Void)] = [
      (.executor(serial), { serial.step() }), (.executor(concurrent), { concurrent.step() }),
    ]
    for (context, step) in executors {
      let ran = Log<Int>()
      let root = Promise(on: context)
      let children = (0..<3).map { number in root.then { _ in ran.append(number) } }
      root.fulfill(())
      XCTAssertEqual(ran.count, 0)
      step()
      XCTAssertEqual(ran.all, [0, 1, 2], "the handlers run on this thread, in order")
      XCTAssertTrue(children.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: X3.30
  func testAnExecutorMayDropItsJobs() {
    let (executor, alive) = (ManualSerialExecutor(), LiveCount())
    let child = Promise.resolved(1).thenOn(.executor(executor)) { [canary = alive.make()] _ in use(canary) }
    executor.jobs.drop()
    XCTAssertTrue(child.isPending)
    XCTAssertEqual(alive.count, 1)
    child.cancel()
    XCTAssertTrue(child.isCancelled)
    XCTAssertEqual(alive.count, 0)
  }

  // Spec: X3.16
  func testHandlersOnAnExecutorRunInOrder() throws {
    let serial = QueueExecutor()
    let pool = PoolExecutor()
    let contexts: [@Sendable () -> ExecutorContext] = [{ .executor(serial) }, { .executor(pool) }]
    for context in contexts {
      // Handlers on two contexts of one executor run in one common order.
      let (one, two) = (context(), context())
      let overlap = Overlap()
      let promises = (0..<600).map { _ in Promise() }
      let children = promises.enumerated().map { number, promise in
        promise.thenOn(number % 2 == 0 ? one : two) { _ in overlap.run(number) }
      }
      for promise in promises { promise.fulfill(()) }
      for child in children { _ = try child.value() as Any }
      XCTAssertEqual(overlap.order, Array(0..<600))
      XCTAssertEqual(overlap.most, 1)
    }
  }

  // Spec: X3.16
  func testTheTaskOfAnExecutorHasNoOwner() throws {
    let executor = QueueExecutor()
    let seen = try Mark.$current.withValue("mine") {
      try Promise.resolved(1).thenOn(.executor(executor)) { _ in Mark.current }.value(as: String.self)
    }
    XCTAssertEqual(seen, "none", "handlers do not see task-local values of the caller")
  }

  // Spec: X3.17
  func testAnExecutorIsFreedWithItsContext() throws {
    let reference: WeakReference<QueueExecutor>
    do {
      let executor = QueueExecutor()
      reference = WeakReference(executor)
      let root = Promise(on: .executor(executor))
      let child = root.then { $0 }
      root.fulfill(1)
      XCTAssertEqual(try child.value(), 1)
      XCTAssertNotNil(reference.object)
    }
    reference.waitUntilGone()
  }
}
