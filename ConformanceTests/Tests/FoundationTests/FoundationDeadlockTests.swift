import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Blocking waits on Foundation's contexts. A wait that could never end fails, and similar waits succeed.
final class FoundationDeadlockTests: XCTestCase {
  /// Makes a promise in a job of `context`, and waits for the promise there. The result is the value or the
  /// error, as text.
  private func waiting(
    for make: @escaping @Sendable @autoclosure () -> Promise, in context: some ExecutionContext,
    line: UInt = #line
  ) -> String {
    let (outcome, done) = (Recorded("hangs"), Event())
    context.execute {
      let text: String
      do { text = "\(try make().get(timeout: patience))" } catch { text = "\(error)" }
      outcome.change { $0 = text }
      done.signal()
    }
    done.wait("the end of the wait", line: line)
    return outcome.value
  }

  private let wouldDeadlock = "\(PromiseError.wouldDeadlock)"

  // Spec: X3.21
  func testOnAnOperationQueueOfWidthOne() {
    let queue = OperationQueue.operations("one", width: 1)
    XCTAssertEqual(
      waiting(for: Promise.resolved(0).thenOn(queue) { _ in 1 }, in: queue), wouldDeadlock)
    XCTAssertEqual(waiting(for: Promise().thenOn(queue) { _ in 1 }.then { $0 }, in: queue), wouldDeadlock)
    let other = OperationQueue.operations("other", width: 1)
    XCTAssertEqual(waiting(for: Promise.resolved(0).thenOn(other) { _ in 1 }, in: queue), "1")
    XCTAssertEqual(
      waiting(for: Promise.resolved(0).thenOn(queue) { _ in 2 }, in: DispatchQueue.global()), "2")
  }

  // Spec: X3.21
  func testNotOnAWiderOperationQueue() {
    let queue = OperationQueue.operations("two", width: 2)
    XCTAssertEqual(waiting(for: Promise.resolved(0).thenOn(queue) { _ in 1 }, in: queue), "1")
  }

  // Spec: X3.21
  func testOnAThreadWithARunLoop() {
    let (home, other) = (Thread.withRunLoop(name: "home"), Thread.withRunLoop(name: "other"))
    XCTAssertEqual(waiting(for: Promise.resolved(0).thenOn(home) { _ in 1 }, in: home), wouldDeadlock)
    XCTAssertEqual(waiting(for: Promise.resolved(0).thenOn(other) { _ in 1 }, in: home), "1")
  }

  // Spec: X3.21
  func testOnTheMainThread() throws {
    XCTAssertTrue(Thread.isMainThread)
    let root = Promise.resolved(0)
    let children = [root.thenOn(.mainRunLoop) { _ in 1 }, root.thenOn(OperationQueue.main) { _ in 1 }]
    for child in children {
      XCTAssertThrowsError(try child.get(timeout: patience)) { XCTAssertEqual("\($0)", wouldDeadlock) }
      XCTAssertTrue(child.runLoopWait(timeout: patience), "the run loop runs during the wait")
    }
  }
}
