// A request to cancel that comes where one has passed before.

import DynamicPromise
import XCTest

final class SecondCancelTests: XCTestCase {
  /// A visit leaves settled promises behind as places where no visit need look again; what is added below one
  /// later is found all the same.
  // Spec: C3.2
  func testItReachesWhatWasAddedSinceTheFirst() {
    let root = Promise(on: .immediate)
    root.fulfill(0)
    var chain = [root]
    for _ in 0..<5 { chain.append(chain[chain.count - 1].then { $0 }) }
    for _ in 0..<3 {
      let pending = chain.map { $0.then { _ in Promise() } }
      root.cancel()
      XCTAssertTrue(pending.allSatisfy { $0.isCancelled })
    }
    let last = chain[5].then { _ in Promise() }
    root.cancel()
    XCTAssertTrue(last.isCancelled)
  }
}
