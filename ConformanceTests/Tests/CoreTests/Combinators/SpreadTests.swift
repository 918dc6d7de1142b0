// `spread` (K13).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class SpreadTests: XCTestCase {
  // Spec: K13.1
  func testSpreadPassesTheElementsOfAnArray() throws {
    let (later, resolver) = Promise.pending()
    let text = Promise.all([later, 2, nil]).spread { (name: String, count: Int, missing: Int?) in
      "\(name) \(count) \(missing as Any)"
    }
    resolver.fulfill("ann")
    XCTAssertEqual(try text.value(), "ann 2 nil")
    XCTAssertEqual(try Promise.resolved([1, 2]).spread { (a: Int, b: Int) in a + b }.value(), 3)
    XCTAssertEqual(try Promise.resolved([Int]()).spread { 7 }.value(), 7)
  }

  // Spec: K13.1
  func testSpreadPassesTheElementsOfATuple() throws {
    XCTAssertEqual(try Promise.resolved((1, "b")).spread { (a: Int, b: String) in "\(a)\(b)" }.value(), "1b")
    XCTAssertEqual(
      try Promise.resolved((name: "a", count: 2)).spread { (name: String, count: Int) in "\(name)\(count)" }
        .value(),
      "a2")
    XCTAssertEqual(
      try Promise.resolved((1, (2, 3))).spread { (a: Int, b: (Int, Int)) in a + b.0 + b.1 }.value(), 6)
  }

  // Spec: K13.1
  func testSpreadPassesAnyOtherValueAsOneParameter() throws {
    XCTAssertEqual(try Promise.resolved(5).spread { (n: Int) in n + 1 }.value(), 6)
    XCTAssertEqual(try Promise.resolved(["a": 1]).spread { (named: [String: Int]) in named["a"] }.value(), 1)
    XCTAssertEqual(try Promise.resolved(()).spread { "nothing" }.value(), "nothing")
    XCTAssertEqual(try Promise.resolved(nil).spread { (n: Int?) in n == nil }.value(), true)
  }

  // Spec: K13.2
  func testAMismatchNamesTheIndex() throws {
    let called = Counter()
    func mismatch(
      _ value: Any, _ expected: Any.Type, _ found: Any.Type, _ index: Int, line: UInt = #line
    ) throws {
      let child = Promise.resolved(value).spread { (_: Int, _: String) in called.increment() }
      guard case PromiseError.typeMismatch(let e, let f, let i, _) = try child.reason() else {
        return XCTFail("\(try child.reason())", line: line)
      }
      XCTAssertTrue(e == expected && f == found && i?.number == index, "\(e) \(f) \(i as Any)", line: line)
    }
    try mismatch([1, 2] as [Any], String.self, Int.self, 1)
    try mismatch([1] as [Any], String.self, Never.self, 1)
    try mismatch([1, "b", 2.5] as [Any], Never.self, Double.self, 2)
    try mismatch((1, 2), String.self, Int.self, 1)
    try mismatch(1, String.self, Never.self, 1)
    XCTAssertEqual(called.value, 0)
    XCTAssertEqual(
      "\(PromiseError.typeMismatch(expected: String.self, found: Int.self, index: 1))",
      "type mismatch at index 1: expected String, found Int")
  }

  // Spec: K13.3
  func testSpreadBehavesLikeThen() throws {
    let failure = Failure()
    let pair = Promise.resolved([1, 2])
    let thrown = pair.spread { (_: Int, _: Int) in throw failure }
    XCTAssertTrue(try thrown.reason() as? Failure === failure)
    XCTAssertEqual(try pair.spread { (a: Int, b: Int) in Promise.resolved(a - b) }.value(), -1)
    XCTAssertNil(try pair.spread { (_: Int, _: Int) -> Any? in nil }.value(as: Int?.self))
    let called = Counter()
    let passed = Promise.rejected(failure).spread { (_: Int) in called.increment() }
    XCTAssertTrue(try passed.reason() as? Failure === failure)
    XCTAssertEqual(try pair.spread { (a: Int, b: Int) async in a * b }.value(), 2)
    XCTAssertEqual(called.value, 0)
    XCTAssertTrue(thrown.parent == nil || thrown.parent === pair)
  }
}
