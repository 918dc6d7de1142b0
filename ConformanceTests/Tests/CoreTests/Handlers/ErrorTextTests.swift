// The descriptions of errors are readable without Foundation (H2.4).

import DynamicPromise
import XCTest

final class ErrorTextTests: XCTestCase {
  /// A reason that has a custom description.
  private struct Reason: CustomStringConvertible {
    var description: String { "the disk is full" }
  }

  // Spec: H2.4, C1.4
  func testWrappedReasonsReadWell() throws {
    for reason: Any in ["no such user", 404, Reason()] {
      let rejected = "\(try Promise.rejected(reason).reason())"
      XCTAssertEqual(rejected, "rejected: \(reason)")
      let promise = Promise()
      promise.cancel(reason)
      XCTAssertEqual("\(try promise.reason())", "cancelled: \(reason)")
    }
  }

  /// The error text if a handler that expects a `V` receives `value`.
  private func text<V>(_ value: Any, as type: V.Type) throws -> String {
    "\(try Promise.resolved(value).then { (_: V) in () }.reason())"
  }

  // Spec: H2.4, H4.3
  func testTypeMismatchNamesBothTypes() throws {
    struct User {}
    let (one, other) = (try text("a string", as: User.self), try text("a string", as: [String: Int].self))
    XCTAssertTrue(one.contains("expected User") && one.contains("found String"), one)
    XCTAssertTrue(other.contains("expected Dictionary<String, Int>") && other.contains("found String"), other)
  }

  // Spec: H4.3
  func testAMismatchWithNothingAsksForAReturn() throws {
    let root = Promise(on: .immediate)
    let child = root.then { (_: Int) in () }.then { (number: Int) in number + 1 }
    root.fulfill(1)
    let text = "\(try child.reason())"
    XCTAssertTrue(text.contains("expected Int, found (); ") && text.contains("forget a return?"), text)
  }

  // Spec: H4.3
  func testAMismatchNamesTheWrongElement() throws {
    let tail = ["Array<Int>, found Array<Any>: element 2 is String", "Array<Int>, found Array<Double>"]
    XCTAssertTrue(try text([1, 2, "three", 4.0] as [Any], as: [Int].self).contains(tail[0]))
    XCTAssertTrue(try text([1.5], as: [Int].self).contains(tail[1] + ": element 0 is Double"))
    XCTAssertFalse(try text("no array", as: [Int].self).contains("element"))
    let ages: [String: Any] = ["Ann": 1, "Bob": "two"]
    XCTAssertTrue(try text(ages, as: [String: Int].self).contains(": the value of \"Bob\" is String"))
    XCTAssertTrue(try text([1: 1], as: [String: Int].self).contains(": the key 1 is Int"))
    XCTAssertTrue(
      try text([["n": 1], ["n": "two"]] as [[String: Any]], as: [[String: Int]].self).contains(
        "element 1 is Dictionary<String, Any> (the value of \"n\" is String)"))
    let parts = Promise.resolved([1, ["two"]] as [Any]).spread { (_: Int, _: [Int]) in () }
    XCTAssertTrue(
      "\(try parts.reason())".hasPrefix(
        "type mismatch at index 1: expected Array<Int>, found Array<String>: element 0 is String"))
  }

  // Spec: H2.4, H2.8
  func testEveryCaseHasAText() {
    let errors: [(PromiseError, holds: [String])] = [
      (.cycle, ["itself"]),
      (.rejected(reason: "why"), ["rejected", "why"]),
      (.cancelled(reason: "why"), ["cancelled", "why"]),
      (.timeout, ["timed out"]),
      (.wouldDeadlock, ["would deadlock", "return the promise", "then", "await"]),
      (.broken, ["broken", "can no longer be resolved"]),
      (.typeMismatch(expected: Int.self, found: String.self), ["Int", "String"]),
      (
        .noneFulfilled([PromiseError.rejected(reason: "first"), PromiseError.timeout]),
        ["2", "first", "timed out"]
      ),
      (.noneFulfilled([]), ["none"]),
    ]
    for (error, parts) in errors {
      let text = "\(error)"
      XCTAssertTrue(text.contains(" "), "\(text) is not a sentence")
      for part in parts { XCTAssertTrue(text.contains(part), "\(text) lacks \(part)") }
      XCTAssertEqual("\(error as any Error)", text)
      XCTAssertEqual(String(describing: Optional(error as any Error)!), text)
    }
    XCTAssertEqual(Set(errors.map { "\($0.0)" }).count, errors.count)
  }
}
