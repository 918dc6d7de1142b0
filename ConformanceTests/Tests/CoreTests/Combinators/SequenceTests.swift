// `sequence` runs one task after the other. `MapTests.swift` tests the other features, because `sequence` is
// `map` with a concurrency of 1.

import DynamicPromise
import XCTest

final class SequenceTests: XCTestCase {
  // Spec: K5.1, R6.1
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
    XCTAssertEqual(try result.value(), ["a", "b", "c"])
  }

  // Spec: K5.2
  func testThenableIsCalledInItsTurn() throws {
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
  func testTasksOfEveryShape() throws {
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
}
