import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/futurekit.md`.
final class FromFutureKitObservingTests: XCTestCase {
  func testObserving() throws {
    let (promise, failed, cancelled, heard) = (
      load("user"), load("nothing"), Promise(), Recorded(Set<String>())
    )
    let both = expectation(description: "both have been heard")
    both.expectedFulfillmentCount = 2
    @Sendable func hear(_ text: String) { heard.change { _ = $0.insert(text) }; both.fulfill() }
    // row: onFail { }
    failed.onFail { error in hear("failed") }
    // row: onCancel { }
    cancelled.onCancel { hear("cancelled") }
    cancelled.cancel()
    // row: delay(_:)
    let late = promise.delay(0.001)
    // row: tryComplete(_:)
    let won = cancelled.fulfill("ann")
    // row: complete(_:onCompletionError:)
    if !cancelled.resolve("ann") { print("it had a result already") }
    wait(for: [both], timeout: 20)
    XCTAssertEqual(heard.value, ["failed", "cancelled"])
    XCTAssertEqual(try value(of: late), "ann")
    XCTAssertFalse(won)
  }
}
