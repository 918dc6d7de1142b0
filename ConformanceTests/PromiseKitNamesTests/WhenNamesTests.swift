// `when` and `race`: `Sources/PromiseKitNames/When.swift`.

import PromiseKitNames
import TestSupport
import XCTest

final class WhenNamesTests: XCTestCase {
  // Spec: N5.1
  func testWhenFulfilledOfAList() throws {
    let pending = [Promise(), Promise()]
    let all = when(fulfilled: pending)
    pending[1].fulfill(2)
    pending[0].fulfill(1)
    XCTAssertEqual(try value(of: all), [1, 2])
    XCTAssertEqual(try value(of: when(fulfilled: [Promise]()), as: [Any].self).count, 0)
    let others = [Promise(error: NumberedError(1)), Promise()]
    XCTAssertEqual(try reason(of: when(fulfilled: others)), NumberedError(1))
    XCTAssertTrue(others[1].isPending)
  }

  // Spec: N5.2
  func testTuplesOfTwoToFive() throws {
    let (a, b, c, d, e) = (
      Promise.value(1), Promise.value("b"), Promise.value(3), Promise.value("d"), Promise()
    )
    XCTAssertTrue(try value(of: when(fulfilled: a, b), as: (Int, String).self) == (1, "b"))
    XCTAssertTrue(try value(of: when(fulfilled: a, b, c), as: (Int, String, Int).self) == (1, "b", 3))
    XCTAssertTrue(
      try value(of: when(fulfilled: a, b, c, d), as: (Int, String, Int, String).self) == (1, "b", 3, "d"))
    let five = when(fulfilled: a, b, c, d, e)
    e.fulfill(5)
    XCTAssertTrue(
      try value(of: five, as: (Int, String, Int, String, Int).self) == (1, "b", 3, "d", 5))
    let text = when(fulfilled: a, b).map { (number: Int, text: String) in "\(text)\(number)" }
    XCTAssertEqual(try value(of: text), "b1")
    XCTAssertEqual(try reason(of: when(fulfilled: a, Promise(error: NumberedError(1)))), NumberedError(1))
  }

  // Spec: N5.3
  func testWhenResolved() throws {
    typealias Outcomes = [Result<Any, any Error>]
    let (a, b) = (Promise.value(1), Promise(error: NumberedError(2)))
    for outcomes in [when(resolved: a, b), when(resolved: [a, b])] {
      let found = try value(of: outcomes, as: Outcomes.self)
      XCTAssertEqual(try found[0].get() as? Int, 1)
      XCTAssertThrowsError(try found[1].get()) { XCTAssertEqual($0 as? NumberedError, NumberedError(2)) }
    }
    XCTAssertEqual(try value(of: when(resolved: []), as: Outcomes.self).count, 0)
  }

  // Spec: N5.4
  func testRace() throws {
    let slow = Promise()
    XCTAssertEqual(try value(of: race(slow, Promise.value("quick"))), "quick")
    XCTAssertEqual(try reason(of: race([slow, Promise(error: NumberedError(1))])), NumberedError(1))
    XCTAssertTrue(slow.isPending)
    guard case .noneFulfilled = try reason(of: race([Promise]()), as: PromiseError.self) else {
      return XCTFail("the error of an empty race")
    }
  }

  // Spec: N5.5
  func testRaceOfTheFulfilled() throws {
    let failed = Promise(error: NumberedError(1))
    XCTAssertEqual(try value(of: race(fulfilled: [failed, Promise.value(2)])), 2)
    guard case .noneFulfilled(let reasons) = try reason(of: race(fulfilled: [failed]), as: PromiseError.self)
    else { return XCTFail("the error of a race without a winner") }
    XCTAssertEqual(reasons.count, 1)
  }
}
