import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Run loops as contexts.
final class RunLoopContextTests: XCTestCase {
  // Spec: X3.4.4
  func testASleepingLoopIsWoken() {
    let thread = LoopingThread()
    let home = Recorded<[ObjectIdentifier]>([])
    let promise = Promise()
    // When the first handler is scheduled, the loop does not run yet. For the other handlers, the loop sleeps
    // or is about to sleep.
    let first = promise.thenOn(thread.context) { home.append(ObjectIdentifier(Thread.current)) }
    promise.fulfill(0)
    thread.run()
    _ = first.outcome()
    for _ in 0..<200 {
      let next = promise.thenOn(thread.context) { home.append(ObjectIdentifier(Thread.current)) }
      guard case .success = next.outcome() else { return XCTFail("the handler did not run") }
    }
    XCTAssertEqual(home.value.count, 201)
    XCTAssertEqual(Set(home.value).count, 1, "all handlers run on one thread")
    XCTAssertFalse(home.value.contains(ObjectIdentifier(Thread.current)), "no handler runs on this thread")
    thread.end()
  }

  // Spec: X3.4.4
  func testAllContextsOfALoopHaveOneOrder() {
    let thread = LoopingThread()
    let contexts = Recorded<[RunLoopContext]>([])
    let made = Promise.resolved(0).thenOn(thread.context) {
      for _ in 0..<3 { contexts.append(.current) }
      contexts.append(RunLoopContext(RunLoop.current))
    }
    thread.run()
    _ = made.outcome()
    let log = Recorded<[Int]>([])
    let (entered, gate) = (Event(), Event())
    let promise = Promise.resolved(0)
    _ = promise.thenOn(thread.context) {
      entered.signal()
      gate.wait("gate")
    }
    entered.wait("handler")
    var last = promise
    for index in 0..<100 { last = promise.thenOn(contexts.value[index / 3 % 4]) { log.append(index) } }
    gate.signal()
    _ = last.outcome()
    XCTAssertEqual(log.value, Array(0..<100))
    thread.end()
  }

  // Spec: X3.4.4
  func testHandlersBehindOneThatRunsTheLoopRunInsideOfIt() {
    let thread = LoopingThread()
    let log = Recorded<[String]>([])
    let promise = Promise()
    let behind = Promise()
    let outer = promise.thenOn(thread.context) {
      log.append("outer begins")
      let isSettled = behind.runLoopWait(timeout: patience)
      log.append("outer ends")
      return isSettled
    }
    for index in 0..<3 { promise.thenOn(thread.context) { log.append("inner \(index)") } }
    promise.thenOn(thread.context) { behind.fulfill(0) }
    let last = promise.thenOn(thread.context) { log.append("after") }
    promise.fulfill(0)
    thread.run()
    XCTAssertEqual(try outer.outcome().get() as? Bool, true)
    _ = last.outcome()
    XCTAssertEqual(
      log.value.filter { $0 != "after" }, ["outer begins", "inner 0", "inner 1", "inner 2", "outer ends"])
    thread.end()
  }

  // Spec: X3.4.5
  func testEndedThreadBreaksItsChildren() {
    let thread = LoopingThread()
    let promise = Promise.resolved(0)
    let waiting = (0..<10).map { _ in promise.thenOn(thread.context) { _ in XCTFail("ran") } }
    thread.end()
    for child in waiting { child.assertBroken() }
    for _ in 0..<10 { promise.thenOn(thread.context) { _ in XCTFail("ran") }.assertBroken() }
  }

  // Spec: X3.4.4, X3.4
  func testMainRunLoop() throws {
    let isMain = Promise.resolved(0).thenOn(.mainRunLoop) { Thread.isMainThread }
      .thenOn(.runLoop(.main)) { (wasMain: Bool) in wasMain && Thread.isMainThread }
    XCTAssertEqual(try value(of: isMain), true)
  }
}
