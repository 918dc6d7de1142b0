// `map` (K9) and `filter` (K10).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class MapTests: XCTestCase {
  // Spec: K1.9, K9.1, K9.2
  func testAtMostConcurrencyTasksRunAtATime() throws {
    for concurrency in [Int.min, -1, 0, 1, 2, 3, 7, 10, 11, .max] {
      let started = Log<Int>()
      let promises = (0..<10).map { _ in Promise() }
      let result = Promise.map(0..<10, concurrency: concurrency, on: .immediate) { (input: Int) in
        started.append(input)
        return promises[input]
      }
      let width = min(max(concurrency, 1), 10)
      XCTAssertEqual(started.all, Array(0..<width), "\(concurrency)")
      // The running task that started last settles first.
      for settled in 0..<10 {
        let running = started.all.filter { promises[$0].isPending }
        XCTAssertEqual(running.count, min(width, 10 - settled))
        XCTAssertTrue(result.isPending)
        promises[running.last!].fulfill(running.last!)
      }
      XCTAssertEqual(started.all, Array(0..<10))
      XCTAssertEqual(try result.value(), Array(0..<10))
    }
  }

  // Spec: K5.2, K9.3
  func testEachInputIsAwaitedJustBeforeItsTask() throws {
    // An input that is awaited in its turn counts as a running task.
    let cases = [
      (concurrency: 1, before: ["1"], after: ["later", "done", "nil", "x"]),
      (concurrency: 2, before: ["1", "done", "nil", "x"], after: ["later"]),
    ]
    for (concurrency, before, after) in cases {
      let (later, resolver) = Promise.pending(on: .immediate)
      let seen = Log<String>()
      let inputs: [Any?] = [1, later, Countdown(2), nil, Promise.resolved("x")]
      let result = Promise.map(inputs, concurrency: concurrency, on: .immediate) { input -> Any in
        seen.append("\(input)")
        return "\(input)!"
      }
      XCTAssertEqual(seen.all, before)
      resolver.fulfill("later")
      XCTAssertEqual(seen.all, before + after)
      XCTAssertEqual(try result.value(), ["1!", "later!", "done!", "nil!", "x!"])
    }
    XCTAssertEqual(try Promise.map([]) { $0 }.value(as: [Any].self).count, 0)
    XCTAssertEqual(try Promise.map([Int](), concurrency: 3) { (n: Int) in n }.value(as: [Any].self).count, 0)
  }

  // Spec: K9.4
  func testMapTasksMayHaveTheTypesOfHandlers() throws {
    XCTAssertEqual(try Promise.map([1, 2]) { (n: Int) in n * 2 }.value(), [2, 4])
    XCTAssertEqual(try Promise.map([1, 2], concurrency: 1) { (n: Int) async in n * 3 }.value(), [3, 6])
    XCTAssertEqual(try Promise.map([1, 2]) { n async in "\(n)" }.value(), ["1", "2"])
    let mixed = Promise.map([1, 2]) { n -> Any? in
      if n as! Int == 1 { return nil }
      return "two"
    }
    XCTAssertEqual(try mixed.value(as: [Any].self)[1] as? String, "two")
    let wrong = Promise.map([1, 2]) { (text: String) in text }
    guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
  }

  // Spec: K5.4, K9.5
  func testNoTaskStartsAfterTheFirstRejection() throws {
    for throwing in [true, false] {
      let (failure, started) = (Failure(), Counter())
      let promises = (0..<6).map { _ in Promise() }
      let result = Promise.map(0..<6, concurrency: 2, on: .immediate) { (input: Int) -> Any in
        started.increment()
        if throwing, input == 2 { throw failure }
        return promises[input]
      }
      promises[0].fulfill(0)
      if !throwing { promises[2].reject(failure) }
      XCTAssertTrue(try result.reason() as? Failure === failure)
      XCTAssertFalse(result.isCancelled)
      promises[1].fulfill(1)
      XCTAssertEqual(started.value, 3)
    }
  }

  // Spec: K9.6
  func testRunningTasksAreCancelledAfterARejectionOnlyOnRequest() throws {
    for cancels in [false, true] {
      let promises = (0..<3).map { _ in Promise() }
      let result = Promise.map(0..<3, on: .immediate, cancellingRest: cancels) { (input: Int) in
        promises[input]
      }
      promises[0].fulfill(true)
      promises[1].reject(Failure())
      XCTAssertTrue(result.isRejected)
      XCTAssertEqual(promises[2].isCancelled, cancels)
      if cancels { XCTAssertTrue(try promises[2].reason() is CancellationError) }
      XCTAssertFalse(promises[0].isCancelled)
    }
  }

  // Spec: K5.8, K9.8, X1.6
  func testTasksRunOnTheContextOfTheFirstPromise() {
    let (context, started) = (TestContext(), Counter())
    let first = Promise(on: context)
    Promise.map([1, first, Promise.resolved(1, on: .immediate)]) { _ in started.increment() }
    first.fulfill(2)
    XCTAssertEqual(started.value, 0)
    context.drain()
    XCTAssertEqual(started.value, 3)
  }

  // Spec: K5.9, K9.9
  func testMapAcceptsManyInputs() {
    let count = manyInputs / 4
    onSmallStack {
      for concurrency in [1, 5, Int.max] {
        let result = Promise.map(0..<count, concurrency: concurrency, on: .immediate) { input -> Any in
          (input as! Int) % 2 == 0 ? input : Promise.resolved(input)
        }
        XCTAssertEqual(try result.value(as: [Any].self).last as? Int, count - 1)
      }
      // All tasks return one pending promise, which is cancelled with the result.
      let pending = Promise()
      Promise.map(0..<count, on: .immediate) { _ in pending }.cancel()
      XCTAssertTrue(pending.isCancelled)
    }
  }

  // Spec: K9.2, K9.10
  func testBlockingWaitsWhileTasksStart() {
    race(lanes: 3, rounds: 600) { round in
      let steps = (0..<40).map { _ in Promise() }
      let result = Promise.map(0..<40, concurrency: 4, on: .immediate) { (input: Int) in steps[input] }
      let parts: [RaceTrack.Part] = [
        {
          // This thread calls `get` in every second round. In the other rounds, only two threads meet.
          while round % 2 == 0, result.isPending { _ = try? result.get(timeout: 1e-6) }
        },
        { for step in stride(from: 0, to: 40, by: 2) { steps[step].fulfill(step) } },
        { for step in stride(from: 1, to: 40, by: 2) { steps[step].fulfill(step) } },
      ]
      return (parts, { XCTAssertEqual(try result.value(), Array(0..<40)) })
    }
  }
}
