import PromiseKitTypes
import TestSupport
import XCTest

import enum DynamicPromise.PromiseError

final class TypedGuaranteeTests: XCTestCase {
  // Operators on elements return guarantees if their closures do not throw.
  func testElements() throws {
    let list = Guarantee.value([3, 1, 2])
    let mapped: Guarantee<[Int]> = list.mapValues { $0 * 2 }
    XCTAssertEqual(try value(of: mapped), [6, 2, 4])
    let flat: Guarantee<[Int]> = list.flatMapValues { [$0, -$0] }
    XCTAssertEqual(try value(of: flat), [3, -3, 1, -1, 2, -2])
    let compact: Guarantee<[String]> = list.compactMapValues { $0 > 1 ? "\($0)" : nil }
    XCTAssertEqual(try value(of: compact), ["3", "2"])
    let some: Guarantee<[Int]> = list.filterValues { $0 < 3 }
    XCTAssertEqual(try value(of: some), [1, 2])
    let loaded: Guarantee<[String]> = list.thenMap { .value("\($0)") }
    XCTAssertEqual(try value(of: loaded), ["3", "1", "2"])
    let all: Guarantee<[Int]> = list.thenFlatMap { .value([$0, 0]) }
    XCTAssertEqual(try value(of: all), [3, 0, 1, 0, 2, 0])
    let ascending: Guarantee<[Int]> = list.sortedValues()
    XCTAssertEqual(try value(of: ascending), [1, 2, 3])
    let descending: Guarantee<[Int]> = list.sortedValues { $0 > $1 }
    XCTAssertEqual(try value(of: descending), [3, 2, 1])
    let lengths: Guarantee<[Int]> = Guarantee.value(["a", "bc"]).mapValues(\.count)
    XCTAssertEqual(try value(of: lengths), [1, 2])
  }

  // If the closure throws or returns promises, the result is a promise.
  func testElementsThatMayFail() throws {
    let list = Guarantee.value([1, 2])
    let failing = list.mapValues { number -> Int in throw NumberedError(number) }
    XCTAssertEqual(try reason(of: failing), NumberedError(1))
    let refused = list.thenMap { Promise<Int>(error: NumberedError($0)) }
    XCTAssertEqual(try reason(of: refused), NumberedError(1))
  }

  func testGuarantee() throws {
    var log: [Int] = []
    let (guarantee, resolve) = Guarantee<Int>.pending()
    let end: Guarantee<Void> = guarantee.get { log.append($0) }.map { $0 + 1 }.then {
      Guarantee.value($0 * 2)
    }
    .done { log.append($0) }
    resolve(1)
    resolve(2)
    try value(of: end)
    XCTAssertEqual(log, [1, 4])
    try value(of: guarantee.asVoid())
    let failing = guarantee.map { _ -> Int in throw NumberedError(1) }
    XCTAssertEqual(try reason(of: failing), NumberedError(1))
    XCTAssertEqual(try value(of: guarantee.then { Promise.value("\($0)") }), "1")
  }

  func testAGuaranteeThatNothingRetains() throws {
    var calls = 0
    let lost = Guarantee<Int> { _ in }.done { _ in calls += 1 }
    guard case .brokenAt = try reason(of: lost, as: PromiseError.self) else {
      return XCTFail("not broken")
    }
    let stopped = after(seconds: 600)
    let done = stopped.done { calls += 1 }
    stopped.untyped.cancel()
    XCTAssertTrue(try reason(of: done, as: (any Error).self).isCancelled)
    XCTAssertEqual(calls, 0)
  }
}
