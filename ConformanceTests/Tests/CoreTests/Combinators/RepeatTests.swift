// `repeat` runs a task in a loop.

import DynamicPromise
import XCTest

final class RepeatTests: XCTestCase {
  // Spec: K6.1, K6.2
  func testRepeatsUntilTheBodyReturnsNil() throws {
    let rounds = Counter()
    let result = Promise.repeat(on: .immediate) {
      rounds.increment()
      return rounds.value < 4 ? Promise.resolved(rounds.value) : nil
    }
    XCTAssertEqual(try result.value(), 3, "the last value before `nil`")
    XCTAssertEqual(rounds.value, 4)
    XCTAssertEqual("\(try Promise.repeat { nil }.value(as: Any.self))", "nil", "a loop without a value")
  }

  // Spec: K6.1, K6.3, R6.1
  func testEachRoundWaitsForTheOneBefore() throws {
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
    XCTAssertEqual(try result.value(), 1, "the last value before `nil`")
    XCTAssertEqual(started.value, 3)
  }

  // Spec: K6.5
  func testBodyMayCancelItsOwnLoop() {
    let (context, loop, rounds) = (SteppedContext(), Log<Promise>(), Counter())
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

    let (entered, cancelled) = (Event(), Event())
    let endless = Promise.repeat { () async -> Int in
      entered.signal()
      await untilCancelled()
      cancelled.signal()
      return 1
    }
    entered.wait("the body")
    endless.cancel()
    cancelled.wait("cancellation of the task")
  }

  // Spec: K6.7
  func testManyRounds() {
    onSmallStack {
      for isImmediate in [true, false] {
        let (alive, rounds) = (LiveCount(), Counter())
        let body: @Sendable () -> Any? = {
          rounds.increment()
          return rounds.value < manyInputs ? alive.make() : nil
        }
        let result = isImmediate ? Promise.repeat(on: .immediate, body) : Promise.repeat(body)
        XCTAssertNoThrow(try result.value(as: Canary.self))
        XCTAssertEqual(rounds.value, manyInputs)
        XCTAssertLessThan(alive.peak, 10)
      }
    }
  }
}
