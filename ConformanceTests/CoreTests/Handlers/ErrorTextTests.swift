// Errors read well without Foundation (H2.4).

import DynamicPromise
import XCTest

final class ErrorTextTests: XCTestCase {
  /// A reason with a text of its own.
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

  // Spec: H2.4, H4.3
  func testTypeMismatchNamesBothTypes() throws {
    struct User {}
    let root = Promise(on: .immediate)
    let wanted = root.then { (_: User) in 1 }
    let wantedList = root.then { (_: [String: Int]) in 1 }
    root.fulfill("a string")
    let text = "\(try wanted.reason())"
    XCTAssertTrue(text.contains("expected User") && text.contains("found String"), text)
    let other = "\(try wantedList.reason())"
    XCTAssertTrue(other.contains("expected Dictionary<String, Int>"), other)
    XCTAssertTrue(other.contains("found String"), other)
  }

  // Spec: H4.3
  func testAMismatchWithNothingAsksForAReturn() throws {
    let root = Promise(on: .immediate)
    let child = root.then { (_: Int) in () }.then { (number: Int) in number + 1 }
    root.fulfill(1)
    let text = "\(try child.reason())"
    XCTAssertTrue(text.contains("expected Int, found (); ") && text.contains("forget a return?"), text)
  }

  // Spec: H2.4
  func testEveryCaseHasAText() {
    let errors: [(PromiseError, holds: [String])] = [
      (.cycle, ["itself"]),
      (.rejected(reason: "why"), ["rejected", "why"]),
      (.cancelled(reason: "why"), ["cancelled", "why"]),
      (.timeout, ["timed out"]),
      (.wouldDeadlock, ["would deadlock", "await"]),
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
      XCTAssertTrue(text.contains(" "), "\(text) is no sentence")
      for part in parts { XCTAssertTrue(text.contains(part), "\(text) lacks \(part)") }
      XCTAssertEqual("\(error as any Error)", text)
      XCTAssertEqual(String(describing: Optional(error as any Error)!), text)
    }
    XCTAssertEqual(Set(errors.map { "\($0.0)" }).count, errors.count)
  }
}
