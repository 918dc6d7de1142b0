import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/then.md`.
final class FromThenRetryTests: XCTestCase {
  func testRetryAndChain() throws {
    let (tries, seen) = (Recorded(0), Recorded(0))
    @Sendable func attempt() -> Promise {
      load(
        tries.change {
          $0 += 1; return $0
        } < 3 ? "nothing" : "user")
    }
    // row: retry(_:)
    let user = Promise.retry(3) { attempt() }
    // row: chain { }
    let chained = user.tap { seen.change { $0 += 1 } }
    // row: delay(_:)
    let late = chained.delay(0.001)
    XCTAssertEqual(try value(of: late), "ann")
    XCTAssertEqual([tries.value, seen.value], [3, 1])
  }
}
