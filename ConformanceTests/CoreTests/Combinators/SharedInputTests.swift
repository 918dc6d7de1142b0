// Several combinators and other observers share one input.

import DynamicPromise
import XCTest

final class SharedInputTests: XCTestCase {
  private let combinators: [@Sendable ([Promise]) -> Promise] = [
    { Promise.all($0) }, { Promise.allSettled($0) }, { Promise.any($0) }, { Promise.race($0) },
  ]

  // Spec: K4.8
  func testEachHearsOfItWhicheverCameFirst() {
    for first in combinators {
      let (input, heard) = (Promise(on: .immediate), Log<String>())
      first([input]).then { _ in heard.append("first") }
      for (index, combine) in combinators.enumerated() {
        combine([input]).then { _ in heard.append("\(index)") }
      }
      let adopter = Promise(on: .immediate)
      adopter.bind(input)
      adopter.then { _ in heard.append("adopted") }
      input.fulfill(1)
      XCTAssertEqual(heard.all, ["first", "0", "1", "2", "3", "adopted"])
    }
  }

  // Spec: K4.8
  func testOneThatLeavesLeavesTheOthers() {
    for leaver in 0..<4 {
      let input = Promise(on: .immediate)
      let results = combinators.map { $0([input, input]) }
      let heard = Log<Int>()
      for (index, result) in results.enumerated() { result.then { _ in heard.append(index) } }
      results[leaver].cancel()
      input.fulfill(1)
      XCTAssertEqual(heard.all.sorted(), (0..<4).filter { $0 != leaver })
      XCTAssertTrue(results[leaver].isCancelled)
    }
  }

  // Spec: K4.8
  func testALaterObserverIsNotified() {
    let input = Promise(on: .immediate)
    for combine in combinators { combine([input]).cancel() }
    let alone = Promise.all([input])
    alone.cancel()
    let values = Log<Int>()
    Promise.race([input]).then { values.append($0 as! Int) }
    input.then { values.append($0 as! Int) }
    input.fulfill(1)
    XCTAssertEqual(values.all, [1, 1])
  }

  // Spec: K4.8
  func testACancelledInputRejectsAll() {
    for first in combinators {
      let input = Promise(on: .immediate)
      let results = [first([input])] + combinators.map { $0([input]) }
      input.cancel()
      XCTAssertTrue(results.allSatisfy { $0.isSettled })
      let unshared = Promise(on: .immediate)
      let only = first([unshared])
      unshared.cancel()
      XCTAssertTrue(only.isSettled)
    }
  }
}
