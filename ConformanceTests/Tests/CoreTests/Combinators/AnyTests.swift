// `any` is fulfilled with the first value. `AllTests.swift` tests the features shared with `all`.

import DynamicPromise
import XCTest

final class AnyTests: XCTestCase {
  // Spec: K2.5
  func testFirstValueWins() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let first = Promise.any(inputs)
    inputs[0].reject(Failure())
    inputs[1].cancel()
    XCTAssertTrue(first.isPending)
    inputs[2].fulfill("won")
    XCTAssertEqual(try first.value(), "won")
  }

  // Spec: K2.6
  func testAllReasonsInTheOrderOfTheInputs() throws {
    let inputs = [Promise(), Promise(), Promise()]
    let failures = ["a", "b", "c"].map { Failure($0) }
    let first = Promise.any(inputs)
    for index in [2, 0, 1] { inputs[index].reject(failures[index]) }
    guard case PromiseError.noneFulfilled(let errors) = try first.reason() else {
      return XCTFail("\(try first.reason())")
    }
    XCTAssertEqual(errors.compactMap { $0 as? Failure }, failures)
    XCTAssertFalse(first.isCancelled)
  }

  // Spec: K2.7
  func testFirstOfSettledInputsWins() throws {
    let inputs: [Any] = [Promise(), Failure(), Promise.resolved("a"), Promise.resolved("b"), "c"]
    XCTAssertEqual(try Promise.any(inputs).value(), "a")
    XCTAssertEqual(try Promise.any([nil, "a"]).value(as: Any.self) as? String, nil)
  }

  // Spec: K2.5
  func testValueIsPassedOnVerbatim() throws {
    let (inner, input) = (Promise(), Promise())
    input.fulfill(inner)
    XCTAssertTrue(try Promise.any([input]).value(as: Promise.self) === inner)
  }
}
