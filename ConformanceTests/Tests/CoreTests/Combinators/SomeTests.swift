// `some` collects a given number of values, in their order of arrival.

import DynamicPromise
import XCTest

final class SomeTests: XCTestCase {
  // Spec: K14.1
  func testFirstValuesInTheOrderInWhichTheyCame() throws {
    let inputs = (0..<4).map { _ in Promise() }
    let result = Promise.some(inputs, 2)
    inputs[3].fulfill("d")
    inputs[1].reject(Failure())
    XCTAssertTrue(result.isPending)
    inputs[0].fulfill("a")
    inputs[2].fulfill("c")
    XCTAssertEqual(try result.value(), ["d", "a"])
    XCTAssertEqual(
      try Promise.some([Promise(), 1, Failure(), Countdown(0), nil, Promise.resolved(2)], 3)
        .value(as: [Any].self).map { "\($0)" }, ["1", "done", "nil"], "settled inputs keep their order")
  }

  // Spec: K14.2
  func testRejectedAsSoonAsThereCannotBeEnough() throws {
    let failures = (0..<3).map { Failure("\($0)") }
    let inputs = (0..<4).map { _ in Promise() }
    let result = Promise.some(inputs, 2)
    inputs[2].reject(failures[2])
    inputs[0].fulfill("a")
    inputs[1].cancel(failures[1])
    XCTAssertTrue(result.isPending)
    inputs[3].reject(failures[0])
    guard case PromiseError.noneFulfilled(let reasons) = try result.reason() else {
      return XCTFail("\(result)")
    }
    XCTAssertEqual(reasons.map { ($0 as? Failure)?.name }, ["2", "1", "0"])
    XCTAssertFalse(result.isCancelled)
  }

  // Spec: K1.9, K14.3
  func testNoneWantedAndMoreThanThereAre() throws {
    let input = Promise()
    for count in [0, -1, Int.min] {
      XCTAssertEqual(try Promise.some([input], count).value(as: [Any].self).count, 0)
      XCTAssertEqual(try Promise.some([], count).value(as: [Any].self).count, 0)
    }
    for (inputs, count) in [([], 1), ([input], 2), ([input, 1], Int.max)] as [([Any], Int)] {
      let result = Promise.some(inputs, count)
      XCTAssertTrue(result.isRejected, "the result is rejected at once")
      guard case PromiseError.noneFulfilled(let reasons) = try result.reason() else { return XCTFail() }
      XCTAssertEqual(reasons.count, 0)
    }
    XCTAssertTrue(input.isPending)
    _ = Promise.some([input], 2, cancellingInputs: true)
    XCTAssertTrue(input.isCancelled)
  }

  // Spec: K14.4
  func testCancels() throws {
    let inputs = (0..<3).map { _ in Promise() }
    Promise.some(inputs, 2).cancel()
    XCTAssertTrue(inputs.allSatisfy(\.isPending), "the inputs are not cancelled")
    let result = Promise.some(inputs, 1, cancellingInputs: true)
    inputs[1].fulfill(1)
    XCTAssertTrue(result.isFulfilled)
    XCTAssertTrue(inputs[0].isCancelled && inputs[2].isCancelled)
    XCTAssertTrue(try inputs[0].reason() is CancellationError)
    let (failure, pending) = (Failure(), Promise())
    Promise.some([pending, Promise()], 1, cancellingInputs: true).cancel(failure)
    XCTAssertTrue(try pending.reason() as? Failure === failure)
  }

  // Spec: K14.5
  func testThreadsThatMeet() {
    race(lanes: 3, rounds: 500) { round in
      let inputs = (0..<3).map { _ in Promise() }
      let result = Promise.some(inputs, 2)
      let failure = Failure()
      let parts: [RaceTrack.Part] = [
        { inputs[0].fulfill(0) }, { inputs[1].fulfill(1) },
        { if round % 2 == 0 { inputs[2].fulfill(2) } else { inputs[2].reject(failure) } },
      ]
      return (parts, { XCTAssertEqual(try result.value(as: [Any].self).count, 2) })
    }
  }

  // Spec: K14.5
  func testManyInputs() {
    onSmallStack {
      let last = Promise()
      let result = Promise.some([last as Any] + (1..<manyInputs).map { $0 }, manyInputs)
      last.fulfill(0)
      XCTAssertEqual(try result.value(as: [Any].self).count, manyInputs)
    }
  }
}
