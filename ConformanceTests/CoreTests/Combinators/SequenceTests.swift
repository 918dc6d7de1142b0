// `sequence`: one task after the other.

import Dispatch
import DynamicPromise
import XCTest

final class SequenceTests: XCTestCase {
  #if DEBUG
    private let depth = 20_000
  #else
    private let depth = 200_000
  #endif

  // Spec: K5.1
  func testTasksRunInTurn() throws {
    let started = Log<Int>()
    let promises = (0..<3).map { _ in Promise() }
    let result = Promise.sequence(0..<3, on: .immediate) { input in
      started.append(input as! Int)
      return promises[input as! Int]
    }
    XCTAssertEqual(started.all, [0])
    promises[1].fulfill("b")
    XCTAssertEqual(started.all, [0])
    promises[0].fulfill("a")
    XCTAssertEqual(started.all, [0, 1, 2])
    XCTAssertTrue(result.isPending)
    promises[2].fulfill("c")
    XCTAssertEqual(try result.value(as: [Any].self) as? [String], ["a", "b", "c"])
  }

  // Spec: K5.2
  func testInputsOfEveryKind() throws {
    let (later, resolver) = Promise.pending()
    let seen = Log<String>()
    let result = Promise.sequence([1, later, Countdown(2), nil, Promise.resolved("x")] as [Any?]) {
      input -> Any in
      seen.append("\(input)")
      return "\(input)!"
    }
    resolver.fulfill("later")
    XCTAssertEqual(
      try result.value(as: [Any].self) as? [String], ["1!", "later!", "done!", "nil!", "x!"])
    XCTAssertEqual(seen.all, ["1", "later", "done", "nil", "x"])
    XCTAssertEqual(try Promise.sequence([]) { $0 }.value(as: [Any].self).count, 0)
  }

  // Spec: K5.2
  func testThenableIsCalledInItsTurn() throws {
    let order = Log<String>()
    let first = Promise()
    let thenable = Spying { order.append("thenable") }
    let result = Promise.sequence([1, thenable], on: .immediate) { input -> Any in
      order.append("task \(input)")
      return input as? Int == 1 ? first : input
    }
    XCTAssertEqual(order.all, ["task 1"])
    first.fulfill(1)
    XCTAssertEqual(order.all, ["task 1", "thenable", "task called"])
    XCTAssertTrue(result.isFulfilled)
  }

  // Spec: K5.3
  func testTasksOfEveryShape() throws {
    XCTAssertEqual(
      try Promise.sequence([1, 2]) { (n: Int) in n * 2 }.value(as: [Any].self) as? [Int], [2, 4])
    XCTAssertEqual(
      try Promise.sequence([1, 2]) { (n: Int) async in n * 3 }.value(as: [Any].self) as? [Int], [3, 6])
    XCTAssertEqual(
      try Promise.sequence([1, 2]) { n async in "\(n)" }.value(as: [Any].self) as? [String], ["1", "2"])
    let mixed = Promise.sequence([1, 2]) { n -> Any? in
      if n as! Int == 1 { return nil }
      return "two"
    }
    XCTAssertEqual(try mixed.value(as: [Any].self)[1] as? String, "two")
    let wrong = Promise.sequence([1, 2]) { (text: String) in text }
    guard case PromiseError.typeMismatch = try wrong.reason() else {
      return XCTFail("\(try wrong.reason())")
    }
  }

  // Spec: K5.4
  func testFirstRejectionStops() throws {
    let started = Counter()
    let failure = Failure()
    let result = Promise.sequence(1...5, on: .immediate) { input -> Any in
      started.increment()
      if input as! Int == 2 { throw failure }
      return input
    }
    XCTAssertTrue(try result.reason() as? Failure === failure)
    XCTAssertEqual(started.value, 2)

    let rejected = Promise.sequence([1, Promise.rejected(failure), 3], on: .immediate) { input -> Any in
      started.increment()
      return input
    }
    XCTAssertTrue(try rejected.reason() as? Failure === failure)
    XCTAssertEqual(started.value, 3)
    XCTAssertTrue(try Promise.sequence([failure]) { $0 }.reason() as? Failure === failure)
  }

  // Spec: K5.5
  func testCancelCancelsTheRunningTaskAndStartsNoMore() throws {
    let started = Log<Int>()
    let promises = (0..<3).map { _ in Promise() }
    let reasons = Log<any Error>()
    let result = Promise.sequence(0..<3, on: .immediate) { input in
      started.append(input as! Int)
      return promises[input as! Int]
    }
    promises[0].fulfill(0)
    promises[1].catch { reasons.append($0) }
    let failure = Failure()
    result.cancel(failure)
    XCTAssertTrue(promises[1].isCancelled)
    XCTAssertTrue(try promises[1].reason() as? Failure === failure)
    XCTAssertTrue(try result.reason() as? Failure === failure)
    XCTAssertTrue(result.isCancelled)
    XCTAssertEqual(started.all, [0, 1])
    XCTAssertTrue(promises[2].isPending)
  }

  // Spec: C3.1
  func testCancelOfAnInputThatHasSettledIsNoneOfTheRunningTask() throws {
    for isSettled in [true, false] {
      let (input, inner) = (Promise(on: .immediate), Promise())
      if isSettled { input.fulfill(1) }
      let result = Promise.sequence([input]) { _ in inner }
      if !isSettled { input.fulfill(1) }
      input.cancel()
      XCTAssertTrue(inner.isPending)
      XCTAssertTrue(result.isPending)
      inner.fulfill("end")
      XCTAssertEqual(try result.value(as: [Any].self).count, 1)
    }
  }

  // Spec: K5.5
  func testCancelWhileATaskWaitsInItsContext() {
    let context = SteppedContext()
    let started = Counter()
    let result = Promise.sequence([1, 2], on: context) { _ in started.increment() }
    XCTAssertEqual(context.pendingJobs, 1)
    result.cancel()
    context.drain()
    XCTAssertEqual(started.value, 0)
    XCTAssertEqual(context.pendingJobs, 0)
  }

  // Spec: K5.5
  func testCancelWhileAnInputIsWaitedFor() {
    let input = Promise()
    let started = Counter()
    let result = Promise.sequence([input, 2], on: .immediate) { _ in started.increment() }
    result.cancel()
    XCTAssertTrue(input.isPending, "inputs are left alone")
    input.fulfill(1)
    XCTAssertEqual(started.value, 0)
    XCTAssertTrue(result.isCancelled)
  }

  // Spec: X1.6, K5.8
  func testTasksRunOnTheDefaultContextOfTheFirstPromise() {
    let context = SteppedContext()
    let started = Counter()
    let input = Promise(on: context)
    let result = Promise.sequence([1, input]) { _ in started.increment() }
    result.then { _ in started.increment() }
    input.fulfill(2)
    XCTAssertEqual(started.value, 0)
    context.drain()
    XCTAssertEqual(started.value, 3)
  }

  // Spec: K5.9
  func testManySteps() {
    let depth = depth
    onSmallStack {
      for context: ContextKind in [.immediate, .standard] {
        let alive = LiveCount()
        let task: @Sendable (Any) throws -> Any = { input in
          withExtendedLifetime(alive.make()) {}
          return (input as! Int) % 2 == 0 ? input : Promise.resolved(input)
        }
        let result =
          context == .immediate
          ? Promise.sequence(0..<depth, on: .immediate, task) : Promise.sequence(0..<depth, task)
        XCTAssertEqual(try result.value(as: [Any].self).count, depth)
        XCTAssertLessThan(alive.peak, 10)
      }
    }
  }

  // Spec: K5.9
  func testNothingIsKept() {
    let alive = Aviary()
    do {
      let canary = alive.make()
      let result = Promise.sequence(0..<3) { _ in withExtendedLifetime(canary) {} }
      XCTAssertNoThrow(try result.value(as: [Any].self))
      let pending = Promise()
      let cancelled = Promise.sequence([pending, alive.make()]) { _ in withExtendedLifetime(canary) {} }
      cancelled.cancel()
      withExtendedLifetime(pending) {}
    }
    alive.waitUntilEmpty()
  }

  // Spec: K5.5
  func testCancelAgainstTheEndOfAStep() {
    race(lanes: 2, rounds: 500) { _ in
      let steps = [Promise(), Promise()]
      let started = Counter()
      let result = Promise.sequence(0..<2, on: .immediate) { input in
        started.increment()
        return steps[input as! Int]
      }
      let parts: [RaceTrack.Part] = [{ steps[0].fulfill(0) }, { result.cancel() }]
      return (
        parts,
        {
          XCTAssertTrue(result.isCancelled)
          XCTAssertEqual(steps[1].isCancelled, started.value == 2)
        }
      )
    }
  }

  private enum ContextKind { case immediate, standard }
}

/// A thenable that says when it is called.
private struct Spying: Thenable {
  let called: @Sendable () -> Void

  var then: ThenMethod? {
    { resolve, _ in
      called()
      resolve("called")
    }
  }
}
