// `reduce` combines the inputs into one value.

import DynamicPromise
import XCTest

final class ReduceTests: XCTestCase {
  // Spec: K12.1
  func testOneAfterTheOther() throws {
    let calls = Log<String>()
    let promises = (0..<2).map { _ in Promise() }
    let result = Promise.reduce(["a", "b"], ">", on: .immediate) { (partial: String, input: String) in
      calls.append("\(partial) \(input)")
      return promises[calls.count - 1]
    }
    XCTAssertEqual(calls.all, ["> a"])
    promises[0].fulfill(">a")
    XCTAssertEqual(calls.all, ["> a", ">a b"])
    promises[1].fulfill(">ab")
    XCTAssertEqual(try result.value(), ">ab")
  }

  // Spec: K12.1
  func testFunctionsOfEveryShape() throws {
    XCTAssertEqual(try Promise.reduce(1...4, 0) { (sum: Int, n: Int) in sum + n }.value(), 10)
    XCTAssertEqual(try Promise.reduce(1...4, 0) { (sum: Int, n: Int) async in sum + n }.value(), 10)
    XCTAssertEqual(try Promise.reduce([1, "b", nil] as [Any?], "") { "\($0)\($1)" }.value(), "1bnil")
    XCTAssertEqual(try Promise.reduce([1, 2], "") { sum, n async in "\(sum)\(n)" }.value(), "12")
    XCTAssertEqual(
      try Promise.reduce([1, 2], 0) { (sum: Int, n: Int) async in Promise.resolved(sum + n) }.value(), 3)
    let mixed = Promise.reduce([1, 2], "") { _, n -> Any? in
      if n as! Int == 2 { return nil }
      return "one"
    }
    XCTAssertNil(try mixed.value(as: String?.self))
    let later = Promise.delay(0.001, 5)
    XCTAssertEqual(try Promise.reduce([1, later], 1) { (sum: Int, n: Int) in sum + n }.value(), 7)
    for wrong in [
      Promise.reduce([1], "a") { (sum: Int, n: Int) in sum + n },
      Promise.reduce(["a"], 1) { (sum: Int, n: Int) in sum + n },
      Promise.reduce([1, 2], 1) { (_: Int, _: Int) in "text" },
    ] {
      guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
    }
  }

  // Spec: K12.2
  func testWhatThereIsAtFirst() throws {
    let (first, resolver) = Promise.pending(on: .immediate)
    let called = Counter()
    let result = Promise.reduce([1, 2], first) { (sum: Int, n: Int) in
      called.increment()
      return sum + n
    }
    XCTAssertEqual(called.value, 0)
    resolver.fulfill(10)
    XCTAssertEqual(try result.value(), 13)
    XCTAssertEqual(try Promise.reduce([], Countdown(1)) { $1 }.value(), "done")
    XCTAssertNil(try Promise.reduce([], nil) { $1 }.value(as: Int?.self))
    let failure = Failure()
    XCTAssertTrue(try Promise.reduce([1], failure) { $1 }.reason() as? Failure === failure)
  }

  // Spec: K12.2
  func testWithoutInputsItIsSettledAtOnce() throws {
    let context = SteppedContext()
    let nothing: [Any] = []
    let plain = Promise.reduce(nothing, 7, on: context) { $1 }
    XCTAssertTrue(plain.isFulfilled)
    XCTAssertEqual(try plain.value(), 7)
    XCTAssertTrue(Promise.reduce(nothing, nil, on: context) { $1 }.isFulfilled)
    XCTAssertTrue(Promise.reduce(nothing, Failure(), on: context) { $1 }.isRejected)
    XCTAssertEqual(context.pendingJobs, 0)
    let pending = Promise.reduce(nothing, Promise.resolved(7), on: context) { $1 }
    XCTAssertTrue(pending.isPending, "the initial value is awaited like an input")
    context.drain()
    XCTAssertEqual(try pending.value(), 7)
  }

  // Spec: K12.3
  func testACancelLeavesTheFirstValueAlone() {
    let first = Promise()
    Promise.reduce([1], first) { $1 }.cancel()
    XCTAssertTrue(first.isPending, "the cancel does not affect the initial value")
  }

  // Spec: K12.4
  func testManyInputs() {
    onSmallStack {
      let alive = LiveCount()
      let result = Promise.reduce(0..<manyInputs, alive.make()) { _, _ in alive.make() }
      XCTAssertNotNil(try result.outcome().get())
      XCTAssertLessThan(alive.peak, 10, "only the last value is retained")
    }
  }
}
