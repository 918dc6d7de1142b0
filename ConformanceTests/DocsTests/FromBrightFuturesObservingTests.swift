import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/brightfutures.md`.
final class FromBrightFuturesObservingTests: XCTestCase {
  func testObserving() throws {
    let (future, failed, promise, heard) = (load("user"), load("nothing"), Promise(), Recorded(Set<String>()))
    let both = expectation(description: "both have been heard")
    both.expectedFulfillmentCount = 2
    @Sendable func hear(_ text: String) { heard.change { _ = $0.insert(text) }; both.fulfill() }
    // row: onSuccess { }
    future.onSuccess { (name: String) in hear(name) }
    // row: onFailure { }
    failed.onFail { error in hear("failed") }
    // row: andThen { result in }
    let after = future.tapResult { result in heard.change { _ = $0.insert("looked") } }
    // row: debug()
    let watched = future.tapResult { result in print("\(#fileID) \(#line): \(result)") }
    // row: delay(_:)
    let late = future.delay(0.001)
    // row: trySuccess(_:)
    let won = promise.fulfill("ann")
    // row: tryFailure(_:)
    let lost = promise.reject(Missing(name: "user"))
    // row: tryComplete(_:)
    let lostAgain = promise.resolve("ann")
    wait(for: [both], timeout: 20)
    for each in [after, watched, late] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(heard.value, ["ann", "failed", "looked"])
    XCTAssertEqual([won, lost, lostAgain], [true, false, false])
    let (a, b, scope) = (Promise(), Promise(), CancelScope())
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    // row: InvalidationToken, one for several
    scope.cancel()
    XCTAssertTrue(shown.allSatisfy(\.isCancelled))
  }
}
