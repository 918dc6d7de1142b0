import Foundation
import PromiseKitNames
import TestSupport
import XCTest

/// More rows of `docs/migration/promisekit.md` for AnyPromise.
final class FromAnyPromiseKeysTests: XCTestCase {
  func testADictionary() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: PMKWhen(@{ @"a": a, @"b": b })
    let named = Promise.all(["a": a, "b": b])
    // row: .then(^(id a, id b, id c){ })
    let several = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    XCTAssertEqual(
      try value(of: named, as: [String: Any].self) as? [String: String], ["a": "ann", "b": "dark"])
    XCTAssertEqual(try value(of: several), "ann dark")
  }
}
