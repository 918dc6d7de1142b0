// A call does a bounded amount of other threads' work (X1.10).

import Dispatch
import DynamicPromise
import Foundation
import XCTest

final class BoundedCallTests: XCTestCase {
  private let many = 2000

  /// Slightly more than the number of other threads' handlers that one call may schedule.
  private let most = 300

  /// The thread that runs the caller. The logs retain it. Otherwise a later thread could have its address.
  private static var thread: Thread { Thread.current }

  private func inAThread(_ body: @escaping @Sendable () -> Void) -> Event {
    let done = Event()
    Thread.detachNewThread {
      body()
      done.signal()
    }
    return done
  }

  /// Logs which thread schedules each job, and blocks the first call of `execute`. Jobs run on a queue.
  private final class Watched: ExecutionContext, @unchecked Sendable {
    let queue = DispatchQueue(label: "watched")
    let (calls, entered, mayLeave) = (Log<Thread>(), Event(), Event())

    func execute(_ job: @escaping @Sendable () -> Void) {
      calls.append(BoundedCallTests.thread)
      if calls.count == 1 {
        entered.signal()
        mayLeave.wait("the other registrations")
      }
      queue.async(execute: job)
    }
  }

  // Spec: X1.10
  func testACallSchedulesABoundedNumberOfOtherHandlers() {
    let (context, order) = (Watched(), Log<Int>())
    let promise = Promise.resolved(0, on: context)
    let (all, caller) = (Event(), Log<Thread>())
    let many = many
    let callHasEnded = inAThread {
      caller.append(Self.thread)
      promise.then { _ in order.append(-1) }
    }
    context.entered.wait("the first handler")
    for number in 0..<many {
      promise.then { _ in
        order.append(number)
        if number == many - 1 { all.signal() }
      }
    }
    context.mayLeave.signal()
    callHasEnded.wait("the end of the first call")
    all.wait("the last handler")
    XCTAssertEqual(order.all, Array(-1..<many))
    XCTAssertLessThan(context.calls.all.count { $0 == caller.all[0] }, most)
  }

  // Spec: X1.10, A4.1, A4.4
  func testTooManyHandlersKeepTheirOrderAndDoNotWaitForOneInPlace() {
    let (context, promise, order) = (Watched(), Promise(), Log<Int>())
    let (elsewhere, inPlace) = (Event(), Event())
    promise.thenOn(context) { _ in }
    promise.thenOn(.immediate) { _ in elsewhere.wait("the handlers elsewhere") }
    let callHasEnded = inAThread { promise.fulfill(0) }
    context.entered.wait("the first handler")
    for number in 0..<many {
      let isLast = number == many - 1
      promise.then { _ in if isLast { elsewhere.signal() } }
      promise.thenOn(.immediate) { _ in
        order.append(number)
        if isLast { inPlace.signal() }
      }
    }
    context.mayLeave.signal()
    callHasEnded.wait("the end of the call")
    inPlace.wait("the last handler in place")
    XCTAssertEqual(order.all, Array(0..<many))
  }

  // Spec: X1.10
  func testACallRunsABoundedNumberOfOtherHandlersInPlace() {
    let (promise, order, threads) = (Promise(on: .immediate), Log<Int>(), Log<Thread>())
    let (entered, mayLeave, all) = (Event(), Event(), Event())
    promise.then { _ in
      threads.append(Self.thread)
      entered.signal()
      mayLeave.wait("the other registrations")
    }
    let callHasEnded = inAThread { promise.fulfill(0) }
    entered.wait("the first handler")
    for number in 0..<many {
      promise.then { [many] _ in
        order.append(number)
        threads.append(Self.thread)
        if number == many - 1 { all.signal() }
      }
    }
    mayLeave.signal()
    callHasEnded.wait("the end of the first call")
    all.wait("the last handler")
    XCTAssertEqual(order.all, Array(0..<many))
    XCTAssertLessThan(threads.all.count { $0 == threads.all[0] }, most)
  }
}
