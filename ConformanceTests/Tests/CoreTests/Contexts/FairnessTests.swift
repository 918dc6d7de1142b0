// Long work does not delay other handlers, and no handler delays a timer (X1.11, X1.12).

import Dispatch
import DynamicPromise
import Foundation
import TestSupport
import XCTest

final class FairnessTests: XCTestCase {
  private var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

  // Spec: X1.11, X1.12
  func testLongWorkOnTheDefaultContextDelaysNoOtherHandlerAndNoTimer() {
    for work in LongWork.all { checkFairness(of: .shared, beside: work, count: processors) }
  }

  // Spec: X1.11
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func testTwoEndlessChainsOnAnyContextDelayNoOther() {
    let contexts: [any ExecutionContext] = [
      DispatchQueue.main, DispatchQueue.global(), DispatchQueue.serial("serial"),
      DispatchQueue.concurrent("barriers"), ReadingContext.reading(.concurrent("reading")),
      ActorContext.actor(Idle()), ExecutorContext.executor(QueueExecutor()),
      ExecutorContext.executor(PoolExecutor()),
    ]
    for context in contexts { checkFairness(of: context) }
  }

  // Spec: X1.11
  func testEndlessChainsInPlaceAndAHandlerBesideThemTakeTurns() {
    let steps = Log<String>()
    let loop: @Sendable (String) -> Void = { name in
      Promise.repeat(on: .immediate) { () -> Int? in
        steps.append(name)
        return steps.count < 1000 ? 1 : nil
      }
    }
    Promise.resolved(0, on: .immediate).then { _ in
      loop("first")
      loop("second")
      Promise.resolved(0, on: .immediate).then { _ in steps.append("handler") }
    }
    XCTAssertLessThan(steps.all.firstIndex(of: "handler") ?? .max, 10)
  }

  // Spec: X1.11
  func testEndlessChainsLeaveTimeToOtherUsersOfTheSystemsPool() {
    let isOver = Recorded(false)
    let other = Event()
    let loops = (0..<processors).map { _ in
      Promise.repeat { () -> Int? in isOver.value ? nil : 1 }
    }
    for _ in 0..<10 {
      DispatchQueue.global().async { other.signal() }
      other.wait("a block of the global queue")
    }
    isOver.set(true)
    for loop in loops { _ = loop.outcome() }
  }

  // Spec: X1.12
  func testHandlersThatKeepEveryProcessorBusyAreStoppedByTheHookOfATimeout() {
    let isOver = Recorded(false)
    let busy = (0..<2 * processors).map { _ in
      Promise.task { while !isOver.value {} }
    }
    let (request, resolver) = Promise.pending()
    resolver.onCancel { _ in isOver.set(true) }
    let limited = request.timeout(0.05, cancelling: true)
    for handler in busy { XCTAssertTrue((try? handler.get(timeout: 20)) != nil) }
    XCTAssertTrue(limited.isRejected)
    isOver.set(true)
  }

  // Spec: X1.12
  func testLimitsOfEndlessLoopsEndThem() {
    let loops = (0..<processors).map { _ in Promise.repeat { 1 }.timeout(0.05, cancelling: true) }
    for loop in loops {
      guard case PromiseError.timeout? = try? loop.reason() else { return XCTFail("\(loop)") }
    }
  }

  // Spec: X1.12
  func testCodeInPlaceThatATimerCausesDelaysNoOtherTimer() throws {
    let blocker = Blocker()
    let blocking = [
      Promise.delay(0.001).thenOn(.immediate) { _ in blocker.block() },
      Promise.delay(0.001).thenOn(Caller()) { _ in blocker.block() },
    ]
    for _ in blocking { blocker.waitUntilBlocked() }
    for _ in 0..<10 { XCTAssertNoThrow(try Promise.delay(0.001).get(timeout: patience)) }
    XCTAssertNoThrow(try Promise.delay(0).get(timeout: patience))
    for _ in blocking { blocker.free() }
    for promise in blocking { _ = promise.outcome() }
  }
}

private actor Idle {}

/// A context that runs a job on the stack that schedules it.
private struct Caller: ExecutionContext { func execute(_ job: @escaping @Sendable () -> Void) { job() } }
