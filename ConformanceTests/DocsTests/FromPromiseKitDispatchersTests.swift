import DynamicPromiseFoundation
import Foundation
import PromiseKitNames
import TestSupport
import XCTest

/// More rows of `docs/migration/promisekit.md`: dispatchers, several, and cancelling.
final class FromPromiseKitDispatchersTests: XCTestCase {
  func testDispatchers() throws {
    let promise = load("user")
    // row: CurrentThreadDispatcher
    let inPlace = promise.then(on: .immediate) { (name: String) in name.count }
    // row: ConcurrencyLimitedDispatcher(limit:)
    let twoAtATime = promise.then(on: .operations("few", width: 2)) { (name: String) in name.count }
    // row: hang(_:)
    let waited = try promise.get(as: String.self)
    for each in [inPlace, twoAtATime] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertEqual(waited, "ann")
  }

  func testSeveral() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: when(fulfilled: a, b, c, d, e, f)
    let six = when(fulfilled: [a, b, a, b, a, b]).map { (texts: [String]) in texts.joined() }
    // row: when(guarantees:)
    let sure = when(fulfilled: [Guarantee.value(1), Guarantee.value(2)])
    XCTAssertEqual(try value(of: six), "anndarkanndarkanndark")
    XCTAssertEqual(try value(of: sure, as: [Any].self) as? [Int], [1, 2])
  }

  func testCancelling() throws {
    let (download, slow) = (Download(), Promise())
    // row: context.timeout(after:)
    let limited = slow.timeout(0.001, cancelling: true)
    XCTAssertNoThrow(try reason(of: limited, as: PromiseError.self))
    XCTAssertTrue(slow.isCancelled)
    let (promise, seal) = Promise.pending()
    // row: appendCancellable(_:reject:)
    seal.onCancel { _ in download.stop() }
    let chain = promise.then { $0 }
    chain.root.cancel()
    XCTAssertTrue(download.wasStopped)
    // row: cancelAttempted, cancelledError
    XCTAssertTrue(chain.isCancelled && chain.error is CancellationError)
  }
}
