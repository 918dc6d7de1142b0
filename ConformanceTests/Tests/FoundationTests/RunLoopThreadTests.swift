import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// Threads with a run loop as contexts.
final class RunLoopThreadTests: XCTestCase {
  // Spec: X1.11
  func testEndlessChainsDelayNoOtherHandlerAndNoTimer() {
    let thread = RunLoopThread(name: "fairness")
    checkFairness(of: thread)
    thread.stop()
    checkFairness(of: RunLoopContext.main)
  }

  // Spec: X3.4.6, R5.5, X3.4
  func testHandlersRunOnTheThreadInOrder() {
    let thread = Thread.withRunLoop(name: "worker")
    XCTAssertEqual(thread.name, "worker")
    let log = Recorded<[Int]>([])
    let homes = Recorded<Set<ObjectIdentifier>>([])
    let root = Promise(on: thread)
    let children = (0..<100).map { index in
      root.then { _ in
        log.append(index)
        _ = homes.change { $0.insert(ObjectIdentifier(Thread.current)) }
        return Thread.current.name ?? ""
      }
    }
    root.fulfill(0)
    for child in children { XCTAssertEqual(try child.outcome().get() as? String, "worker") }
    XCTAssertEqual(log.value, Array(0..<100))
    XCTAssertEqual(homes.value.count, 1)
  }

  // Spec: X3.4.6
  func testTheThreadServesItsLoopBetweenHandlers() {
    let thread = Thread.withRunLoop(name: "timers")
    let fired = Event()
    let promise = Promise.resolved(0)
    _ = promise.thenOn(thread) { _ in
      RunLoop.current.add(Timer(timeInterval: 0, repeats: false) { _ in fired.signal() }, forMode: .default)
    }
    fired.wait("timer")
  }

  // Spec: X3.4.7
  func testStopRunsWhatWasGivenBeforeAndDropsTheRest() {
    let thread = Thread.withRunLoop(name: "stopped")
    let ended = Event()
    let (entered, gate) = (Event(), Event())
    let promise = Promise.resolved(0)
    _ = promise.thenOn(thread) {
      // The canary is freed when the thread ends.
      Thread.current.threadDictionary["canary"] = Canary { ended.signal() }
      entered.signal()
      gate.wait("gate")
    }
    entered.wait("handler")
    let before = (0..<10).map { index in promise.thenOn(thread) { _ in index } }
    thread.stop()
    thread.stop()
    let after = (0..<10).map { _ in promise.thenOn(thread) { _ in XCTFail("ran") } }
    for child in after { child.assertBroken() }
    gate.signal()
    for (index, child) in before.enumerated() { XCTAssertEqual(try child.outcome().get() as? Int, index) }
    ended.wait("end of the thread")
    promise.thenOn(thread) { _ in XCTFail("ran") }.assertBroken()
  }

  // Spec: X3.4.7
  func testStopInsideOfANestedRunEndsTheThread() {
    let thread = Thread.withRunLoop(name: "nested")
    let ended = Event()
    let promise = Promise.resolved(0)
    let never = Promise()
    let nested = promise.thenOn(thread) {
      Thread.current.threadDictionary["canary"] = Canary { ended.signal() }
      // A timer that remains in the loop does not keep the thread alive.
      RunLoop.current.add(
        Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
      never.runLoopWait()
    }
    _ = promise.thenOn(thread) { never.fulfill(0) }
    thread.stop()
    guard case .success = nested.outcome() else { return XCTFail("broken") }
    ended.wait("end of the thread")
  }

  // Spec: X3.4.7
  func testItsReleaseEndsTheThread() {
    let ended = Event()
    let end = Promise.resolved(0).thenOn(Thread.withRunLoop(name: "short")) {
      Thread.current.threadDictionary["canary"] = Canary { ended.signal() }
    }
    .then { 1 }
    XCTAssertEqual(try end.outcome().get() as? Int, 1)
    ended.wait("end of the thread")
  }
}
