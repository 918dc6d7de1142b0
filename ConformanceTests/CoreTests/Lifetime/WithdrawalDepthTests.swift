// A withdrawal climbs without recursion (C8.4).

import DynamicPromise
import XCTest

final class WithdrawalDepthTests: XCTestCase {
  // Spec: C8.4, C4.10
  func testWithdrawalFromADeepChain() {
    let depth = depthBeyondTheStack
    onSmallStack {
      let (root, resolver) = Promise.pending(on: .immediate)
      var end = root
      for _ in 0..<depth { end = end.then { $0 } }
      let follower = Promise()
      follower.bind(end)
      follower.cancel()
      XCTAssertTrue(root.isCancelled && end.isCancelled && resolver.isCancelled)
    }
  }

  // Spec: C8.4, C4.6
  func testWithdrawalThroughManyReturnedChains() {
    let depth = depthBeyondTheStack / 4
    onSmallStack {
      // Each chain is what the last step of the one before has returned.
      let (root, resolver) = Promise.pending()
      var end = root
      for _ in 0..<depth {
        let inner = end.then { $0 }
        end = Promise(on: .immediate)
        end.bind(inner)
      }
      end.cancel()
      XCTAssertTrue(root.isCancelled && resolver.isCancelled)
    }
  }
}
