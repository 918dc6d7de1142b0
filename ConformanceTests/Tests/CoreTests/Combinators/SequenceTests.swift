// `sequence` (K5) and `repeat` (K6).

import DynamicPromise
import XCTest

final class SequenceTests: XCTestCase {
  // Spec: K5.1, R6.1
  func testTasksRunOneAfterAnother() throws {
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
    XCTAssertEqual(try result.value(), ["a", "b", "c"])
  }

  // Spec: K5.2
  func testAThenableIsCalledJustBeforeItsTask() throws {
    let (order, first) = (Log<String>(), Promise())
    let thenable = Tracing(onGet: {}, onCall: { order.append("thenable") })
    let result = Promise.sequence([1, thenable], on: .immediate) { input -> Any in
      order.append("task \(input)")
      return input as? Int == 1 ? first : input
    }
    XCTAssertEqual(order.all, ["task 1"])
    first.fulfill(1)
    XCTAssertEqual(order.all, ["task 1", "thenable", "task traced"])
    XCTAssertTrue(result.isFulfilled)
  }

  // Spec: K5.3
  func testTasksMayHaveTheTypesOfHandlers() throws {
    XCTAssertEqual(try Promise.sequence([1, 2]) { (n: Int) in n * 2 }.value(), [2, 4])
    XCTAssertEqual(try Promise.sequence([1, 2]) { (n: Int) async in n * 3 }.value(), [3, 6])
    XCTAssertEqual(try Promise.sequence([1, 2]) { n async in "\(n)" }.value(), ["1", "2"])
    let mixed = Promise.sequence([1, 2]) { n -> Any? in
      if n as! Int == 1 { return nil }
      return "two"
    }
    XCTAssertEqual(try mixed.value(as: [Any].self)[1] as? String, "two")
    let wrong = Promise.sequence([1, 2]) { (text: String) in text }
    guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
  }

  // Spec: K6.1, K6.2
  func testRepeatCallsItsBodyUntilItReturnsNil() throws {
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
  func testEachRoundWaitsForThePreviousOne() throws {
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
  func testTheBodyMayCancelItsLoop() {
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
  func testTheBodyMayBeAsynchronous() throws {
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
  func testManyRoundsNeedNeitherStackNorMemory() {
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
