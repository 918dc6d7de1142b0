import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/futurelib.md`.
final class FromFutureLibPatternsTests: XCTestCase {
  func testTaskQueueAndScope() throws {
    // row: TaskQueue(maxConcurrentTasks:)
    let queue = TaskQueue(width: 2)
    // row: enqueue { }
    let user = queue.add { load("user") }
    // row: enqueueBarrier { }
    let barrier = queue.addBarrier { load("settings") }
    // row: maxConcurrentTasks
    queue.width = 3
    XCTAssertEqual(try value(of: user), "ann")
    XCTAssertEqual(try value(of: barrier), "dark")
    let (a, b) = (Promise(), Promise())
    // row: CancellationRequest()
    let scope = CancelScope()
    // row: onSuccess(ct: token), one token for several
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    // row: token \|\| token
    let inner = CancelScope(in: scope)
    let nested = inner.add(Promise())
    // row: request.cancel(), for several
    scope.cancel()
    XCTAssertTrue((shown + [nested]).allSatisfy(\.isCancelled))
  }

  func testOperatorsAndAQueueInAChain() throws {
    let (a, b, queue) = (load("user"), load("settings"), TaskQueue())
    // row: future \|\| future
    let either = Promise.any([load("nothing"), a])
    // row: future && future
    let both = Promise.all([a, b])
    // row: TaskQueue as an execution context
    let inTurn = a.then { (name: String) in queue.add { load("greeting of \(name)") } }
    XCTAssertEqual(try value(of: either), "ann")
    XCTAssertEqual(try value(of: both, as: [Any].self) as? [String], ["ann", "dark"])
    XCTAssertEqual(try value(of: inTurn), "hello, ann")
  }

  func testObservers() throws {
    let (future, failed, heard) = (load("user"), load("nothing"), Recorded(Set<String>()))
    let both = expectation(description: "both have been heard")
    both.expectedFulfillmentCount = 2
    @Sendable func hear(_ text: String) { heard.change { _ = $0.insert(text) }; both.fulfill() }
    // row: onSuccess { }
    future.onSuccess { (name: String) in hear(name) }
    // row: onFailure { }
    failed.onFail { error in hear("failed") }
    let settled = Promise.resolved(1)
    // row: promise.tryResolve(_:)
    let won = settled.resolve("ann")
    wait(for: [both], timeout: 20)
    XCTAssertEqual(heard.value, ["ann", "failed"])
    XCTAssertFalse(won)
  }
}
