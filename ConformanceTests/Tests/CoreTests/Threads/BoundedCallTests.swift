// Several threads register handlers on one settled promise. One call schedules only a bounded number of
// other threads' handlers (X1.10).

import Dispatch
import DynamicPromise
import Foundation
import XCTest

final class BoundedCallTests: XCTestCase {
  /// Slightly more than the number of other threads' handlers that one call may schedule.
  private let most = 300
  private let many = 2000

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
  func testACallSchedulesABoundedNumberOfOthersHandlers() {
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

  /// The limit also holds for handlers in place, even if another handler registers them.
  // Spec: X1.10
  func testACallRunsABoundedNumberOfOthersHandlersInPlace() {
    for isInAHandler in [false, true] {
      let promise = Promise.resolved(0, on: .immediate)
      let (order, runners, caller) = (Log<Int>(), Log<Thread>(), Log<Thread>())
      let (entered, mayLeave, all) = (Event(), Event(), Event())
      let many = many
      let callHasEnded = inAThread {
        caller.append(Self.thread)
        promise.then { _ in
          entered.signal()
          mayLeave.wait("the other registrations")
        }
      }
      entered.wait("the first handler")
      let register = { @Sendable in
        for number in 0..<many {
          promise.then { _ in
            order.append(number)
            runners.append(Self.thread)
            if number == many - 1 { all.signal() }
          }
        }
      }
      if isInAHandler {
        Promise.resolved(0, on: .immediate).then { _ in register() }
      } else {
        register()
      }
      mayLeave.signal()
      callHasEnded.wait("the end of the first call")
      all.wait("the last handler")
      XCTAssertEqual(order.all, Array(0..<many))
      XCTAssertLessThan(runners.all.count { $0 == caller.all[0] }, most, "in a handler: \(isInAHandler)")
    }
  }

  /// If a handler in place registers handlers on its own thread, all of them run in place.
  // Spec: X1.10
  func testOnesOwnHandlersAreNotCounted() {
    let promise = Promise.resolved(0, on: .immediate)
    let runners = Log<Thread>()
    promise.then { [many] _ in
      for _ in 0..<many { promise.then { _ in runners.append(Self.thread) } }
    }
    XCTAssertEqual(runners.count, many)
    XCTAssertTrue(runners.all.allSatisfy { $0 == Self.thread })
  }

  /// Several threads register handlers at the same time. No call runs more handlers than the limit.
  // Spec: X1.10
  func testSeveralThreadsAtOnce() {
    for threads in [2, 4] {
      let promise = Promise.resolved(0, on: .immediate)
      let (total, all) = (Counter(), threads * 3000)
      let (allHaveRun, worst) = (Event(), Log<Int>())
      let done = (0..<threads).map { _ in
        inAThread {
          let count = Log<Int>()
          Thread.current.threadDictionary["count"] = count
          var most = 0
          for _ in 0..<3000 {
            let before = count.count
            promise.then { _ in
              total.increment()
              if total.value == all { allHaveRun.signal() }
              (Thread.current.threadDictionary["count"] as? Log<Int>)?.append(0)
            }
            most = max(most, count.count - before)
          }
          worst.append(most)
        }
      }
      for each in done { each.wait("a thread") }
      allHaveRun.wait("the last handler")
      XCTAssertLessThan(worst.all.max()!, most)
    }
  }
}
