// Depth: no operation recurses over the links between promises (L4). `GrowthTests` and `WithdrawalDepthTests`
// test more chains.

import DynamicPromise
import XCTest

private let depth = depthBeyondTheStack
/// Less than `depth`, because each new link of a held chain of adoptions moves followers, which is slow.
private let depthOfHeldAdoptions = max(depth / 5, 10_000)

final class DepthTests: XCTestCase {
  // Spec: L4.1
  func testSettlingOfADeepChainOnTheDefaultContext() {
    onSmallStack {
      let root = Promise()
      var tail = root
      for _ in 0..<depth { tail = tail.then { $0 as! Int + 1 } }
      root.fulfill(0)
      XCTAssertEqual(try tail.value(), depth)
    }
  }

  // Spec: L4.2
  func testAdoptionOfADeepChain() {
    onSmallStack {
      let promises = adoptions(depthOfHeldAdoptions)
      promises[promises.count - 1].fulfill("end")
      XCTAssertTrue(promises.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: L4.2
  func testAdoptionOfADeepChainBackwards() {
    onSmallStack {
      let promises = (0..<depth).map { _ in Promise() }
      for index in 1..<depth { promises[index].resolve(promises[index - 1]) }
      promises[0].fulfill("end")
      XCTAssertTrue(promises.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: C8.2
  func testCancelOfAWideTree() {
    onSmallStack {
      let root = Promise()
      let children = (0..<depth).map { _ in root.then { _ in 1 } }
      root.cancel()
      XCTAssertTrue(children.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: C4.17
  func testManySiblingsWithoutAHandlerSettleBeforeAHandlerRuns() {
    let (root, order) = (Promise(on: .immediate), Log<Bool>())
    let children = Log<Promise>()
    root.then { _ in order.append(children.all.allSatisfy(\.isFulfilled)) }
    for _ in 0..<1000 { children.append(root.catch { _ in 0 }) }
    root.fulfill(0)
    XCTAssertEqual(order.all, [true])
  }

  // Spec: C8.3
  func testCancelOfADeepAdoption() {
    onSmallStack {
      let promises = adoptions(depthOfHeldAdoptions)
      promises[0].cancel()
      XCTAssertTrue(promises.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: L4.1, L4.4, C3.2, C3.3
  func testReleaseOfADeepSettledChain() {
    onSmallStack {
      let root = Promise(on: .immediate)
      var promises = [root]
      let (open, resolver) = Promise.pending()
      for index in 1...depth {
        promises.append(promises[index - 1].then { _ -> Any in index == depth ? open : index })
      }
      root.fulfill(0)
      XCTAssertTrue(promises[depth].isPending)
      root.cancel()
      XCTAssertTrue(promises[depth].isCancelled)
      XCTAssertTrue(resolver.isCancelled)
      XCTAssertTrue(promises[depth].root === root)
      // Releases the promises from the end. Each release links `last` to the next ancestor.
      let last = promises[depth]
      while promises.count > 1 { promises.removeLast() }
      XCTAssertTrue(last.parent === root)
      promises = []
    }
  }

  // Spec: L4.1, L4.3, L2.3
  func testReleaseOfADeepPendingChain() {
    onSmallStack {
      let (released, reasons) = (Event(), Log<any Error>())
      do {
        let (root, resolver) = Promise.pending()
        var tail = root
        for _ in 0..<depth { tail = tail.then { _ in 1 } }
        let canary = Canary { released.signal() }
        tail.catch { reason in
          reasons.append(reason)
          use(canary)
        }
        withExtendedLifetime(resolver) {}
      }
      released.wait("release")
      guard case PromiseError.broken? = reasons.all.first else { return XCTFail("\(reasons.all)") }
    }
  }

  // Spec: L4.3
  func testReleaseOfADeepChainOfAdoptions() {
    onSmallStack {
      var promises = adoptions(depthOfHeldAdoptions)
      let (end, middle) = (promises[promises.count - 1], WeakReference(promises[promises.count / 2]))
      // Each promise is released before its predecessor, so only the predecessor still uses it.
      while promises.count > 1 { promises.removeLast() }
      XCTAssertNil(middle.object)
      end.fulfill("end")
      XCTAssertTrue(promises[0].isFulfilled)
    }
  }

  // Spec: L4.1
  func testManySequencesThatWaitForOnePromise() {
    onSmallStack {
      let shared = Promise(on: .immediate)
      let sequences = (0..<depthOfHeldAdoptions).map { _ in
        Promise.sequence([1, 2, 3], on: .immediate) { _ in shared }
      }
      shared.fulfill(0)
      XCTAssertTrue(sequences.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: L4.1
  func testCancelOfTasksThatWaitForEachOther() {
    onSmallStack {
      let entered = DispatchGroup()
      var last = Promise()
      for _ in 0..<5000 {
        let before = last
        entered.enter()
        last = Promise {
          entered.leave()
          return try await before.cancellingValue
        }
      }
      XCTAssertEqual(entered.wait(timeout: .now() + patience), .success)
      last.cancel()
      XCTAssertTrue(last.isCancelled)
    }
  }

  // Spec: L4.5
  func testNestedSynchronousThenables() {
    onSmallStack {
      XCTAssertEqual(try Promise.resolved(Countdown(depth)).value(), "done")
    }
  }
}
