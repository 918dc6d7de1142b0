// `filter`: those inputs that pass.

import DynamicPromise
import XCTest

final class FilterTests: XCTestCase {
  // Spec: K10.1
  func testKeepsWhatPassesInOrder() throws {
    let answers = (0..<4).map { _ in Promise() }
    let result = Promise.filter(0..<4, on: .immediate) { (input: Int) in answers[input] }
    answers[3].fulfill(true)
    answers[1].fulfill(false)
    answers[0].fulfill(true)
    XCTAssertTrue(result.isPending)
    answers[2].fulfill(false)
    XCTAssertEqual(try result.value(as: [Any].self) as? [Int], [0, 3])
  }

  // Spec: K10.1
  func testPredicatesOfEveryShape() throws {
    let later = Promise.delay(0.001, 4)
    XCTAssertEqual(
      try Promise.filter([1, later, Countdown(1), nil] as [Any?]) { $0 is Int }.value(as: [Any].self)
        as? [Int], [1, 4])
    XCTAssertEqual(try Promise.filter(1...4) { (n: Int) in n > 2 }.value(as: [Any].self) as? [Int], [3, 4])
    XCTAssertEqual(try Promise.filter(1...4) { (n: Int) async in n > 3 }.value(as: [Any].self) as? [Int], [4])
    XCTAssertEqual(
      try Promise.filter([Any?.none, 1]) { "\($0)" == "nil" }.value(as: [Any].self).count, 1, "nil may pass")
    XCTAssertEqual(
      try Promise.filter(1...4) { n async in n as! Int > 3 }.value(as: [Any].self) as? [Int], [4])
    XCTAssertEqual(
      try Promise.filter(1...4) { (n: Int) async in Promise.resolved(n < 2) }.value(as: [Any].self) as? [Int],
      [1])
    let mixed = Promise.filter(1...4) { n -> Any in
      if n as! Int > 2 { return true }
      return Promise.resolved(false)
    }
    XCTAssertEqual(try mixed.value(as: [Any].self) as? [Int], [3, 4])
    XCTAssertEqual(try Promise.filter([]) { _ in true }.value(as: [Any].self).count, 0)
  }

  // Spec: K10.2
  func testWhatIsNoBoolRejects() throws {
    let wrong = Promise.filter([1]) { "\($0)" }
    guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(try wrong.reason())") }
    let nothing = Promise.filter([1]) { _ in Promise.resolved(nil) }
    guard case PromiseError.typeMismatch = try nothing.reason() else { return XCTFail() }
    let input = Promise.filter([1]) { (text: String) in text.isEmpty }
    guard case PromiseError.typeMismatch = try input.reason() else { return XCTFail() }
  }

  // Spec: K10.3
  func testConcurrencyAndCancel() throws {
    let (started, failure) = (Counter(), Failure())
    let answers = (0..<6).map { _ in Promise() }
    let cancelled = Promise.filter(0..<6, concurrency: 2, on: .immediate) { (input: Int) in
      started.increment()
      return answers[input]
    }
    answers[0].fulfill(true)
    XCTAssertEqual(started.value, 3)
    cancelled.cancel(failure)
    XCTAssertTrue(answers[1].isCancelled)
    XCTAssertTrue(try answers[2].reason() as? Failure === failure)
    XCTAssertEqual(started.value, 3)
  }

  // Spec: K10.3
  func testLosers() throws {
    for cancels in [false, true] {
      let failure = Failure()
      let answers = (0..<3).map { _ in Promise() }
      let result = Promise.filter(0..<3, concurrency: 2, on: .immediate, cancellingRest: cancels) {
        (input: Int) in answers[input]
      }
      answers[0].reject(failure)
      XCTAssertTrue(try result.reason() as? Failure === failure)
      XCTAssertEqual(answers[1].isCancelled, cancels)
      XCTAssertTrue(answers[2].isPending, "not asked for")
    }
  }

  // Spec: K10.3
  func testManyInputs() {
    #if DEBUG
      let count = 20_000
    #else
      let count = 200_000
    #endif
    onSmallStack {
      let result = Promise.filter(0..<count, concurrency: 3) { (n: Int) in n % 2 == 0 }
      XCTAssertEqual(try result.value(as: [Any].self).count, count / 2)
    }
  }
}
