// Endless work on a context, beside which a handler and a timer must run.

import Dispatch
import DynamicPromise
import XCTest

/// Long work in small steps. A step that finds what it waits for has not come yet keeps its thread for a
/// while, so that starving work is seen in seconds. `tasks` runs 400 steps on a context, or more.
public struct LongWork: Sendable {
  /// What the work calls.
  public let name: String
  let begin: @Sendable (_ context: any ExecutionContext, _ step: @escaping @Sendable () -> Bool) -> Promise

  /// Every kind of work that may continue on the stack of its former step. `repeat` and `retry` are endless.
  public static let all = [
    LongWork(name: "repeat") { context, step in
      Promise.repeat(on: context) { () -> Int? in step() ? nil : 1 }
    },
    LongWork(name: "retry") { context, step in
      Promise.retry(.max, on: context) { if !step() { throw PromiseError.timeout } }
    },
    LongWork(name: "map") { context, step in
      Promise.map(0..<400, concurrency: 1, on: context) { (_: Int) in step() }
    },
    LongWork(name: "then") { context, step in
      let root = Promise(on: context)
      var last = root.then { _ in step() }
      for _ in 0..<400 { last = last.then { _ in step() } }
      root.fulfill(0)
      return last
    },
  ]

  /// A loop without an end.
  public static var endless: LongWork { all[0] }
}

extension XCTestCase {
  /// Checks that a handler and a timer on `context` run before any of `count` pieces of long work on
  /// `context` has ended.
  public func checkFairness(
    of context: any ExecutionContext, beside work: LongWork = .endless, count: Int = 2,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let isOver = Recorded(false)
    let ended = Recorded(0)
    let begun = expectation(description: "\(work.name): begun")
    let met = expectation(description: "\(work.name): the handler and the timer ran")
    begun.expectedFulfillmentCount = count
    begun.assertForOverFulfill = false
    met.expectedFulfillmentCount = 2
    let works = (0..<count).map { _ in
      let steps = Recorded(0)
      return work.begin(context) {
        if steps.increment() == 2 { begun.fulfill() }
        let end = DispatchTime.now() + .milliseconds(5)
        while !isOver.value, DispatchTime.now() < end {}
        return isOver.value
      }
    }
    for work in works {
      work.whenSettled {
        if !isOver.value { ended.increment() }
      }
    }
    wait(for: [begun], timeout: 20)
    let handler = Promise.resolved(0, on: context).then { _ in met.fulfill() }
    let timer = Promise.delay(0.01, on: context).then { _ in met.fulfill() }
    XCTAssertEqual(
      XCTWaiter().wait(for: [met], timeout: 10), .completed, "beside \(work.name)", file: file, line: line)
    isOver.set(true)
    XCTAssertEqual(ended.value, 0, "\(work.name) ended first", file: file, line: line)
    for promise in works + [handler, timer] { _ = try? outcome(of: promise) }
  }
}
