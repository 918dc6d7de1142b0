import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/bolts.md`.
final class FromBoltsWinningTests: XCTestCase {
  func testWhoHasWon() {
    let (promise, source) = Promise.pending()
    // row: source.trySet(result:), -trySetResult:
    let won = source.fulfill("ann")
    // row: source.trySet(error:), -trySetError:
    let lost = source.reject(Missing(name: "user"))
    // row: source.tryCancel(), -trySetCancelled
    let lostAgain = promise.cancel()
    XCTAssertEqual([won, lost, lostAgain], [true, false, false])
    let (a, b, scope) = (Promise(), Promise(), CancelScope())
    // row: continueWith(cancellationToken:), one token for several
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    scope.cancel()
    XCTAssertTrue(shown.allSatisfy(\.isCancelled))
  }
}
