// Ways to make promises: `Sources/PromiseKitNames/Names.swift` and `Making.swift`. One import is enough.

import Dispatch
import PromiseKitNames
import TestSupport
import XCTest

final class MakingNamesTests: XCTestCase {
  // Spec: N1.1
  func testOneImportIsEnough() throws {
    func answer() -> Promise { Promise { seal in seal.fulfill(42) } }
    let (promise, seal): (Promise, Resolver) = Promise.pending()
    seal.fulfill("late")
    let one: Guarantee = answer()
    let other: AnyPromise = promise
    let context: any Dispatcher = DispatchQueue(label: "work")
    XCTAssertEqual(try value(of: one.thenOn(context) { $0 }.then { (n: Int) in n + 1 }), 43)
    XCTAssertEqual(try value(of: other.catch { _ in 0 }), "late")
  }

  // Spec: N1.2
  func testFirstlyRunsAtOnceAndGivesThePromiseItself() throws {
    let (promise, runs) = (Promise(), Recorded(0))
    let first = firstly {
      runs.change { $0 += 1 }
      return promise
    }
    XCTAssertEqual(runs.value, 1)
    XCTAssertTrue(first === promise)
    XCTAssertEqual(try value(of: firstly { 3 }), 3)
    XCTAssertEqual(try reason(of: firstly { throw NumberedError(1) }), NumberedError(1))
  }

  // Spec: N1.3
  func testValueAndErrorMakeSettledPromises() throws {
    let inner = Promise()
    XCTAssertTrue(try value(of: Promise.value(inner), as: Promise.self) === inner)
    XCTAssertNil(try value(of: .value(nil), as: Any?.self))
    XCTAssertEqual(try reason(of: Promise(error: NumberedError(2))), NumberedError(2))
    XCTAssertTrue(Promise().isPending)
  }

  // Spec: N1.4
  func testWaysToSettle() throws {
    let none: Int? = nil
    let (error, no): ((any Error)?, (any Error)?) = (NumberedError(3), nil)
    XCTAssertEqual(try value(of: Guarantee { seal in seal("called") }), "called")
    XCTAssertNoThrow(try value(of: Promise { $0.fulfill_() }, as: Void.self))
    XCTAssertEqual(try value(of: Promise { $0.resolve(no, 7) }), 7)
    XCTAssertEqual(try reason(of: Promise { $0.resolve(error, none) }), NumberedError(3))
    XCTAssertEqual(try value(of: Promise { $0.resolve(8, no) }), 8)
    XCTAssertEqual(try reason(of: Promise { $0.resolve(none, error) }), NumberedError(3))
    XCTAssertEqual(try value(of: Promise { $0.resolve(Result<Int, any Error>.success(9)) }), 9)
    XCTAssertEqual(
      try reason(of: Promise { $0.resolve(Result<Int, NumberedError>.failure(NumberedError(4))) }),
      NumberedError(4))
    let followed = Promise.value(10)
    XCTAssertEqual(try value(of: Promise { $0.resolve(Result<Promise, any Error>.success(followed)) }), 10)
  }

  // Spec: N1.5
  func testAsyncOnAQueue() throws {
    let home = MarkedQueue()
    let queue = home.queue
    let there = queue.async(.promise) { home.isCurrent }
    XCTAssertEqual(try value(of: there), true)
    let below = there.then { _ in home.isCurrent }
    XCTAssertEqual(try value(of: below), true)
    XCTAssertEqual(try reason(of: queue.async(.promise) { throw NumberedError(5) }), NumberedError(5))
  }
}
