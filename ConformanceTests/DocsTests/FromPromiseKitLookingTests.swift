import Foundation
import PromiseKitNames
import TestSupport
import XCTest

/// More rows of `docs/migration/promisekit.md`.
final class FromPromiseKitLookingTests: XCTestCase {
  private enum Login: CancellableError { case closed; var isCancelled: Bool { true } }

  func testLooking() throws {
    let (promise, seen) = (load("user"), Recorded(0))
    @Sendable func look(_ result: Result<Any, any Error>) { seen.change { $0 += 1 } }
    // row: tap { result in }
    let tapped = promise.tapResult { result in look(result) }
    // row: pipe(to:)
    let piped = promise.tapResult(on: .immediate) { result in look(result) }
    XCTAssertEqual(try value(of: tapped), "ann")
    XCTAssertEqual(try value(of: piped), "ann")
    XCTAssertEqual(seen.value, 2)
    let closed = Promise(error: Login.closed)
    // row: CancellableError
    let passed = closed.catch(policy: .allErrorsExceptCancellation) { error in "\(error)" }
    XCTAssertTrue(try reason(of: passed, as: (any Error).self).isCancellation)
  }
}
