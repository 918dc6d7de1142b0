// A withdrawal moves up a chain without recursion (C8.4).

import DynamicPromise
import XCTest

final class WithdrawalDepthTests: XCTestCase {
  // Spec: C8.4, C4.10, C4.24, C8.1, L4.6
  func testWithdrawalFromADeepChain() {
    let depth = depthBeyondTheStack
    onSmallStack {
      let (root, resolver) = Promise.pending(on: .immediate)
      var end = root
      for _ in 0..<depth { end = end.then { $0 } }
      end.follower().cancel()
      XCTAssertTrue(root.isCancelled && end.isCancelled && resolver.isCancelled)
    }
  }

  /// A withdrawal moves up in slices. The withdrawal may end where a slice begins.
  // Spec: C4.10
  func testWithdrawalBelowAForkAtAnyDistance() {
    for length in [1, 63, 64, 65, 128, 129] {
      let root = Promise(on: .immediate)
      let other = root.then { $0 }
      var chain = [root.then { $0 }]
      while chain.count < length { chain.append(chain[chain.count - 1].then { $0 }) }
      chain[length - 1].withdraw()
      XCTAssertTrue(chain.allSatisfy(\.isCancelled), "\(length)")
      XCTAssertTrue(root.isPending && other.isPending, "\(length)")
    }
  }

  // Spec: C8.4, C4.6
  func testWithdrawalThroughManyReturnedChains() {
    let depth = depthBeyondTheStack / 4
    onSmallStack {
      // Each new `end` follows a child of the previous `end`.
      let (root, resolver) = Promise.pending()
      var end = root
      for _ in 0..<depth {
        end = end.then { $0 }.follower()
      }
      end.cancel()
      XCTAssertTrue(root.isCancelled && resolver.isCancelled)
    }
  }
}
