// `all` and `allSettled` of a dictionary (K8).

import DynamicPromise
import XCTest

final class KeyedTests: XCTestCase {
  // Spec: K8.1
  func testAllGivesTheValuesUnderTheirKeys() throws {
    let (later, resolver) = Promise.pending()
    let result = Promise.all(["a": later, "b": 2, "c": Countdown(1), "d": nil])
    XCTAssertTrue(result.isPending)
    resolver.fulfill("A")
    let values = try result.value(as: [String: Any].self)
    XCTAssertEqual(values.count, 4)
    XCTAssertEqual(values["a"] as? String, "A")
    XCTAssertEqual(values["b"] as? Int, 2)
    XCTAssertEqual(values["c"] as? String, "done")
    XCTAssertTrue(values["d"] is Never?, "`nil` is the value of its key")
  }

  // Spec: K8.1
  func testAllSettledGivesTheOutcomesUnderTheirKeys() throws {
    let failure = Failure()
    let result = Promise.allSettled([1: Promise.resolved("one"), 2: Promise.rejected(failure)])
    let outcomes = try result.value(as: [Int: Result<Any, any Error>].self)
    XCTAssertEqual(outcomes.count, 2)
    XCTAssertEqual(try outcomes[1]?.get() as? String, "one")
    XCTAssertThrowsError(try outcomes[2]?.get()) { XCTAssertTrue($0 as? Failure === failure) }
  }

  // Spec: K8.2
  func testTheKeyMayHaveAnyHashableType() throws {
    enum Part: Hashable { case head, body(Int) }
    let parts: [Part: Promise] = [.head: .resolved("h"), .body(1): .resolved("b")]
    XCTAssertEqual(try Promise.all(parts).value(as: [Part: Any].self)[.body(1)] as? String, "b")
    let mixed: [AnyHashable: Any] = [1: "one", "two": Promise.resolved(2)]
    XCTAssertEqual(try Promise.all(mixed).value(as: [AnyHashable: Any].self)["two"] as? Int, 2)
    XCTAssertEqual(
      try Promise.allSettled(mixed).value(as: [AnyHashable: Result<Any, any Error>].self).count, 2)
    let origin = Promise()
    XCTAssertEqual(try Promise.all([origin: 1]).value(as: [Promise: Any].self)[origin] as? Int, 1)
  }

  // Spec: K8.3
  func testTheFirstRejectionRejectsTheResult() throws {
    let failure = Failure()
    let (one, other) = (Promise(), Promise())
    let result = Promise.all(["one": one, "other": other])
    other.reject(failure)
    XCTAssertTrue(try result.reason() as? Failure === failure)
    XCTAssertTrue(one.isPending)
    XCTAssertTrue(try Promise.all(["a": failure]).reason() as? Failure === failure)
    one.cancel()
    XCTAssertFalse(Promise.all(["one": one]).isPending)
  }

  // Spec: K8.7
  func testDictionariesAreNotSequencesOfPairs() throws {
    // Dictionaries select the overload for dictionaries. Other collections select the overload for sequences.
    let promises = ["a": Promise.resolved(1)]
    let optionals: [String: Promise?] = ["a": nil]
    XCTAssertNotNil(try Promise.all(promises).value() as [String: Any])
    XCTAssertNotNil(try Promise.all(optionals).value() as [String: Any])
    XCTAssertNotNil(try Promise.all(["a": nil, "b": 1]).value() as [String: Any])
    XCTAssertNotNil(try Promise.all(promises.values).value() as [Any])
    XCTAssertNotNil(try Promise.all([promises, ["b": 2]] as [Any]).value() as [Any])
  }
}
