// Numbers below those that have a meaning.

import DynamicPromise
import XCTest

final class NumbersBelowRangeTests: XCTestCase {
  // Spec: K1.9
  func testALimitBelowOneIsOne() {
    for limit in [0, -1, .min] {
      var gates: [Promise] = []
      nonisolated(unsafe) let calls = Box(0)
      for operation in ["map", "filter"] {
        gates = (0..<3).map { _ in Promise(on: .immediate) }
        calls.value = 0
        let task = { @Sendable [gates] (index: Int) -> Promise in
          calls.value += 1
          return gates[index]
        }
        let result =
          operation == "map"
          ? Promise.map(0..<3, concurrency: limit, on: .immediate, task)
          : Promise.filter(0..<3, concurrency: limit, on: .immediate, task)
        for (index, gate) in gates.enumerated() {
          XCTAssertEqual(calls.value, index + 1, "\(operation), \(limit): one at a time")
          gate.fulfill(true)
        }
        XCTAssertTrue(result.isFulfilled)
      }
    }
  }

  // Spec: K1.9
  func testAttemptsBelowOneAreOne() throws {
    for times in [0, -1, .min] {
      nonisolated(unsafe) let attempts = Box(0)
      let result = Promise.retry(times, on: .immediate) {
        attempts.value += 1
        throw Failure("attempt \(attempts.value)")
      }
      XCTAssertEqual((try result.reason() as? Failure)?.name, "attempt 1", "\(times)")
      XCTAssertEqual(attempts.value, 1)
    }
  }

  // Spec: K1.9
  func testFewerThanNoValuesAreNone() throws {
    for count in [0, -1, .min] {
      XCTAssertEqual(try Promise.some([Promise()], count).value(as: [Any].self).count, 0)
    }
  }
}

private final class Box {
  var value: Int

  init(_ value: Int) { self.value = value }
}
