// What is done under the tree's lock, counted (debug builds only): operations are linear, and no critical
// section grows with the tree.

import Dispatch
import DynamicPromise
import XCTest

final class LockedWorkTests: XCTestCase {
  private func settled() -> Promise { fulfilled(on: .immediate) }

  private func fulfilled(on context: some ExecutionContext) -> Promise {
    let promise = Promise(on: context)
    promise.fulfill(0)
    return promise
  }

  /// A chain and its root.
  private func chain(_ n: Int, below root: Promise) -> [Promise] {
    var all = [root]
    for _ in 0..<n { all.append(all[all.count - 1].then { $0 }) }
    return all
  }

  // MARK: Cancelling

  // Spec: L4.8
  func testCancellingEachOfAHeldSettledChain() throws {
    for hasPendingEnd in [false, true] {
      try assertLinear { n in
        var all = chain(n, below: settled())
        if hasPendingEnd { all.append(all[n].then { _ in Promise() }) }
        return { for promise in all { promise.cancel() } }
      }
    }
  }

  // Spec: L4.8
  func testCancellingAboveHeldSettledChildren() throws {
    try assertConstant { n in
      let root = settled()
      let children = (0..<n).map { _ in root.then { $0 } }
      root.cancel()
      return {
        for _ in 0..<10 {
          let pending = root.then { _ in Promise() }
          root.cancel()
          XCTAssertTrue(pending.isCancelled)
        }
        XCTAssertEqual(children.count, n)
      }
    }
  }

  // Spec: L4.8
  func testCancellingAboveHeldSettledChildrenForTheFirstTime() throws {
    try assertLinear { n in
      let root = settled()
      let children = (0..<n).map { _ in root.then { $0 } }
      return {
        root.cancel()
        XCTAssertEqual(children.count, n)
      }
    }
  }

  // Spec: L4.8
  func testCancellingWhatWaits() throws {
    for isWide in [false, true] {
      try assertLinear { n in
        let root = Promise(on: .immediate)
        let all = isWide ? (0..<n).map { _ in root.then { $0 } } : chain(n, below: root)
        return {
          root.cancel()
          XCTAssertTrue(all.allSatisfy { $0.isCancelled })
        }
      }
    }
  }

  // Spec: L4.8
  func testWithdrawingFromADeepChain() throws {
    try assertLinear { n in
      let all = chain(n, below: Promise(on: .immediate))
      let follower = Promise(on: .immediate)
      follower.bind(all[n])
      return {
        follower.cancel()
        XCTAssertTrue(all[0].isCancelled)
      }
    }
  }

  // MARK: Settling

  // Spec: L4.8
  func testSettlingWhatWaits() throws {
    for isWide in [false, true] {
      for hasHandlers in [false, true] {
        try assertLinear { n in
          let root = Promise(on: .immediate)
          var all = [root]
          for _ in 0..<n {
            let parent = isWide ? root : all[all.count - 1]
            all.append(hasHandlers ? parent.then { $0 } : parent.catch { _ in 0 })
          }
          return {
            root.fulfill(0)
            XCTAssertTrue(all.allSatisfy { $0.isFulfilled })
          }
        }
      }
    }
  }

  // Spec: L4.8
  func testSettlingWithHandlersForAnotherContext() throws {
    try assertLinear { n in
      let (root, context) = (Promise(on: .immediate), SteppedContext())
      let all = (0..<n).map { index in
        index % 2 == 0 ? root.thenOn(context) { $0 } : root.catch { _ in 0 }
      }
      return {
        root.fulfill(0)
        context.drain()
        XCTAssertTrue(all.allSatisfy { $0.isFulfilled })
      }
    }
  }

  // MARK: Looking up

  // Spec: L4.8
  func testParentOverASpineThatHasGone() throws {
    try assertConstant { n in
      let root = settled()
      var promise = root
      for _ in 0..<n { promise = promise.then { $0 } }
      let end = promise
      return { for _ in 0..<10 { XCTAssertTrue(end.parent === root) } }
    }
  }

  // Spec: L4.8
  func testTheRootOfAHeldChain() throws {
    try assertLinear { n in
      let all = chain(n, below: settled())
      return { XCTAssertTrue(all[n].root === all[0]) }
    }
  }

  // Spec: L4.8
  func testALookBeforeABlockingWait() throws {
    try assertLinear { n in
      let all = chain(n, below: Promise())
      return { XCTAssertNil(try? all[n].get(timeout: 0.001)) }
    }
  }

  // MARK: Going away

  // Spec: L4.8
  func testASettledChainGoesFromEitherEnd() throws {
    for fromTheEnd in [false, true] {
      try assertLinear { n in
        let held = Held(chain(n, below: settled()))
        if !fromTheEnd { held.promises.reverse() }
        return { while !held.promises.isEmpty { held.promises.removeLast() } }
      }
    }
  }

  // Spec: L4.8
  func testASpineWithHeldLeavesGoesFromEitherEnd() throws {
    for leaves in [1, 3] {
      for fromTheEnd in [false, true] {
        try assertLinear { n in
          let root = settled()
          let held = Held(chain(n, below: root))
          held.promises.removeFirst()
          let all = held.promises.flatMap { step in (0..<leaves).map { _ in step.then { $0 } } }
          if !fromTheEnd { held.promises.reverse() }
          return {
            while !held.promises.isEmpty { held.promises.removeLast() }
            XCTAssertTrue(all.allSatisfy { $0.parent === root })
            let pending = all[n / 2].then { _ in Promise() }
            root.cancel()
            XCTAssertTrue(pending.isCancelled)
          }
        }
      }
    }
  }
}
