// `repeat`: a loop of tasks.

import Dispatch
import DynamicPromise
import XCTest

final class RepeatTests: XCTestCase {
  #if DEBUG
    private let depth = 20_000
  #else
    private let depth = 200_000
  #endif

  // Spec: K6.1
  func testRepeatsUntilTheBodyReturnsNil() throws {
    let rounds = Counter()
    let result = Promise.repeat(on: .immediate) {
      rounds.increment()
      return rounds.value < 4 ? Promise.resolved(rounds.value) : nil
    }
    XCTAssertEqual(try result.value(), 3, "the last value")
    XCTAssertEqual(rounds.value, 4)
  }

  // Spec: K6.1
  func testRepeatsUntilThePromiseIsFulfilledWithNil() throws {
    let rounds = Counter()
    let result = Promise.repeat(on: .immediate) { () -> Promise in
      rounds.increment()
      return Promise.resolved((rounds.value < 4 ? "page \(rounds.value)" : String?.none) as Any)
    }
    XCTAssertEqual(try result.value(), "page 3")
  }

  // Spec: K6.2
  func testNilAtOnce() throws {
    let result = Promise.repeat { nil }
    XCTAssertEqual("\(try result.value(as: Any.self))", "nil")
  }

  // Spec: K6.3
  func testEachRoundWaitsForTheOneBefore() {
    let promises = (0..<3).map { _ in Promise() }
    let started = Counter()
    let result = Promise.repeat(on: .immediate) { () -> Promise in
      defer { started.increment() }
      return promises[started.value]
    }
    XCTAssertEqual(started.value, 1)
    promises[0].fulfill(0)
    XCTAssertEqual(started.value, 2)
    promises[1].fulfill(1)
    XCTAssertEqual(started.value, 3)
    XCTAssertTrue(result.isPending)
    promises[2].fulfill(Int?.none as Any)
    XCTAssertTrue(result.isFulfilled)
    XCTAssertEqual(started.value, 3)
  }

  // Spec: K6.4
  func testRejectionStops() throws {
    let rounds = Counter()
    let failure = Failure()
    let thrown = Promise.repeat(on: .immediate) {
      rounds.increment()
      if rounds.value == 3 { throw failure }
    }
    XCTAssertTrue(try thrown.reason() as? Failure === failure)
    XCTAssertEqual(rounds.value, 3)
    XCTAssertTrue(try Promise.repeat { Promise.rejected(failure) }.reason() as? Failure === failure)
    XCTAssertTrue(try Promise.repeat { failure }.reason() as? Failure === failure)
  }

  // Spec: K6.5
  func testBodyMayCancelItsOwnLoop() {
    let context = SteppedContext()
    let loop = Log<Promise>()
    let rounds = Counter()
    loop.append(
      Promise.repeat(on: context) {
        rounds.increment()
        if rounds.value == 2 { loop.all[0].cancel() }
      })
    context.drain()
    XCTAssertEqual(rounds.value, 2)
    XCTAssertTrue(loop.all[0].isCancelled)
  }

  // Spec: K6.6
  func testAsynchronousBody() throws {
    let rounds = Counter()
    let result = Promise.repeat { () async -> Int? in
      rounds.increment()
      return rounds.value < 3 ? rounds.value : nil
    }
    XCTAssertEqual(try result.value(), 2)

    let entered = Event()
    let cancelled = Event()
    let endless = Promise.repeat { () async throws -> Int in
      await withTaskCancellationHandler {
        entered.signal()
        await Gate.never.wait()
        return 1
      } onCancel: {
        cancelled.signal()
      }
    }
    entered.wait("the body")
    endless.cancel()
    cancelled.wait("cancellation of the task")
  }

  // Spec: K6.7
  func testManyRounds() {
    let depth = depth
    onSmallStack {
      for isImmediate in [true, false] {
        let alive = LiveCount()
        let rounds = Counter()
        let body: @Sendable () -> Any? = {
          rounds.increment()
          return rounds.value < depth ? alive.make() : nil
        }
        let result = isImmediate ? Promise.repeat(on: .immediate, body) : Promise.repeat(body)
        XCTAssertNoThrow(try result.value(as: Canary.self))
        XCTAssertEqual(rounds.value, depth)
        XCTAssertLessThan(alive.peak, 10)
      }
    }
  }

  // Spec: K6.8
  func testContinuesThoughNothingRetainsTheResult() {
    let done = Event()
    let rounds = Counter()
    let alive = Aviary()
    do {
      let canary = alive.make()
      Promise.repeat { () -> Int? in
        rounds.increment()
        if rounds.value < 50 { return 1 }
        withExtendedLifetime(canary) { done.signal() }
        return nil
      }
    }
    done.wait("the last round")
    alive.waitUntilEmpty()
  }
}

/// Something that an asynchronous body waits for, until its task is cancelled.
private struct Gate {
  static let never = Gate()

  func wait() async {
    let stream = AsyncStream<Int> { _ in }
    for await _ in stream {}
  }
}
