// Several combinators and other observers share one input.

import DynamicPromise
import XCTest

final class SharedInputTests: XCTestCase {
  // Spec: K4.8
  func testEachHearsOfItWhicheverCameFirst() {
    for first in combinators {
      let (input, heard) = (Promise(on: .immediate), Log<String>())
      first([input], false).then { _ in heard.append("first") }
      for (index, combine) in combinators.enumerated() {
        combine([input], false).then { _ in heard.append("\(index)") }
      }
      input.follower().then { _ in heard.append("adopted") }
      input.fulfill(1)
      XCTAssertEqual(heard.all, ["first", "0", "1", "2", "3", "adopted"])
    }
  }

  // Spec: K4.8
  func testOneThatLeavesLeavesTheOthers() {
    for leaver in 0..<4 {
      let input = Promise(on: .immediate)
      let results = combinators.map { $0([input, input], false) }
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
    for combine in combinators { combine([input], false).cancel() }
    Promise.all([input]).cancel()
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
      let results = ([first] + combinators).map { $0([input], false) }
      input.cancel()
      XCTAssertTrue(results.allSatisfy { $0.isSettled })
      let unshared = Promise(on: .immediate)
      let only = first([unshared], false)
      unshared.cancel()
      XCTAssertTrue(only.isSettled)
    }
  }
}
