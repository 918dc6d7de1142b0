// `filter` keeps the inputs for which the predicate returns `true`.

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
    XCTAssertEqual(try result.value(), [0, 3])
  }

  // Spec: K10.1
  func testPredicatesOfEveryShape() throws {
    let inputs: [Any?] = [1, Promise.delay(0.001, 4), Countdown(1), nil]
    XCTAssertEqual(try Promise.filter(inputs) { $0 is Int }.value(), [1, 4])
    XCTAssertEqual(try Promise.filter(1...4) { (n: Int) in n > 2 }.value(), [3, 4])
    XCTAssertEqual(try Promise.filter(1...4) { (n: Int) async in n > 3 }.value(), [4])
    XCTAssertEqual(
      try Promise.filter([Any?.none, 1]) { "\($0)" == "nil" }.value(as: [Any].self).count, 1, "nil may pass")
    XCTAssertEqual(try Promise.filter(1...4) { n async in n as! Int > 3 }.value(), [4])
    XCTAssertEqual(try Promise.filter(1...4) { (n: Int) async in Promise.resolved(n < 2) }.value(), [1])
    let mixed = Promise.filter(1...4) { n -> Any in
      if n as! Int > 2 { return true }
      return Promise.resolved(false)
    }
    XCTAssertEqual(try mixed.value(), [3, 4])
    XCTAssertEqual(try Promise.filter([]) { _ in true }.value(as: [Any].self).count, 0)
  }

  // Spec: K10.2
  func testWhatIsNoBoolRejects() throws {
    for wrong in [
      Promise.filter([1]) { "\($0)" }, Promise.filter([1]) { _ in Promise.resolved(nil) },
      Promise.filter([1]) { (text: String) in text.isEmpty },
    ] {
      guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
    }
  }

  // Spec: K1.9, K10.3
  func testSoManyRunAtATime() {
    for (concurrency, width) in [(Int.min, 1), (0, 1), (1, 1), (2, 2)] {
      let (started, answers) = (Counter(), (0..<4).map { _ in Promise() })
      let result = Promise.filter(0..<4, concurrency: concurrency, on: .immediate) { (input: Int) in
        started.increment()
        return answers[input]
      }
      for (index, answer) in answers.enumerated() {
        XCTAssertEqual(started.value, min(index + width, 4), "\(concurrency)")
        answer.fulfill(true)
      }
      XCTAssertTrue(result.isFulfilled)
    }
  }

  // Spec: K10.3
  func testManyInputs() {
    onSmallStack {
      let result = Promise.filter(0..<manyInputs, concurrency: 3) { (n: Int) in n % 2 == 0 }
      XCTAssertEqual(try result.value(as: [Any].self).count, manyInputs / 2)
    }
  }

  /// The `deinit` of an input that fails the predicate may use promises.
  // Spec: K10.1, X6.3
  func testAnInputThatDoesNotPassIsReleasedOutsideOfSteps() throws {
    let (other, verdict, reached) = (Promise(on: .immediate), Promise(on: .immediate), Log<Bool>())
    let follower = other.follower()
    let die: @Sendable () -> Void = {
      other.cancel()
      reached.append(follower.isCancelled)
    }
    let result = Promise.filter([Canary(die)], on: .immediate) { _ in verdict }
    verdict.fulfill(false)
    XCTAssertEqual(reached.all, [true])
    XCTAssertEqual(try result.value(as: [Any].self).count, 0)
  }
}
