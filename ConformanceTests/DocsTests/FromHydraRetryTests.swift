import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/hydra.md`.
final class FromHydraRetryTests: XCTestCase {
  func testRetryPassAndConcurrency() throws {
    let (tries, seen, names) = (Recorded(0), Recorded(0), ["user", "settings"])
    // Two retries count together, in any order: the third attempt of either is not before the third of all.
    @Sendable func attempt() -> Promise {
      load(
        tries.change {
          $0 += 1; return $0
        } < 3 ? "nothing" : "user")
    }
    // row: retry(_:) { }
    let user = Promise.retry(3, while: { error in error is Missing }) { attempt() }
    // row: retryWhen
    let slower = Promise.retry(3, delay: .exponential(0.001)) { attempt() }
    // row: pass { }
    let passed = user.tap { seen.change { $0 += 1 } }
    // row: all(_:concurrency:)
    let all = Promise.map(names, concurrency: 2) { (name: String) in load(name) }
    // row: reduce(_:) { }
    let letters = Promise.reduce(names, "") { (text: String, name: String) in text + name }
    // row: promise.delay(_:)
    let late = passed.delay(0.001)
    for each in [user, passed, late] { XCTAssertEqual(try value(of: each), "ann") }
    _ = try outcome(of: slower)
    XCTAssertEqual(seen.value, 1)
    XCTAssertEqual(try value(of: all, as: [Any].self) as? [String], ["ann", "dark"])
    XCTAssertEqual(try value(of: letters), "usersettings")
  }
}
