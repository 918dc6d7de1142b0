// Deep and wide trees need no deep stack (L4, C8).

import DynamicPromise
import XCTest

private let depth = depthBeyondTheStack
/// Less than `depth`, because each new link of a held chain of adoptions moves followers, which is slow.
private let depthOfHeldAdoptions = max(depth / 5, 10_000)

final class DepthTests: XCTestCase {
  private let count = 2000

  // Spec: L4.1
  func testADeepChainSettlesOnTheDefaultContext() {
    onSmallStack {
      let root = Promise()
      var tail = root
      for _ in 0..<depth { tail = tail.then { $0 as! Int + 1 } }
      root.fulfill(0)
      XCTAssertEqual(try tail.value(), depth)
    }
  }

  // Spec: L4.2
  func testAnOutcomeSettlesADeepChainOfFollowers() {
    onSmallStack {
      let promises = adoptions(depthOfHeldAdoptions)
      promises[promises.count - 1].fulfill("end")
      XCTAssertTrue(promises.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: C8.2
  func testAWideTreeIsCancelled() {
    onSmallStack {
      let root = Promise()
      let children = (0..<depth).map { _ in root.then { _ in 1 } }
      root.cancel()
      XCTAssertTrue(children.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: C8.3
  func testADeepChainOfFollowersIsCancelled() {
    onSmallStack {
      let promises = adoptions(depthOfHeldAdoptions)
      promises[0].cancel()
      XCTAssertTrue(promises.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: L4.1, L4.4, C3.2, C3.3
  func testADeepSettledChainIsCancelledAndReleased() {
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
  func testADeepPendingChainIsReleased() {
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

  // Spec: L4.5
  func testNestedSynchronousThenables() {
    onSmallStack { XCTAssertEqual(try Promise.resolved(Countdown(depth)).value(), "done") }
  }

  // Spec: C8.4, C4.10, C4.24, C8.1, L4.6
  func testAWithdrawalFromADeepChain() {
    let depth = depthBeyondTheStack
    onSmallStack {
      let (root, resolver) = Promise.pending(on: .immediate)
      var end = root
      for _ in 0..<depth { end = end.then { $0 } }
      end.follower().cancel()
      XCTAssertTrue(root.isCancelled && end.isCancelled && resolver.isCancelled)
    }
  }

  // Spec: L4.10
  func testPromisesInValuesAreTakenOutOneByOne() {
    onSmallStack {
      var last: Promise? = Promise.resolved(0, on: .immediate)
      for _ in 0..<depth { last = Promise.resolved((last!, 0), on: .immediate) }
      while let current = last { last = ((try? current.result?.get()) as? (Promise, Int))?.0 }
    }
  }

  // Spec: L4.9
  func testAPromiseThatContainsItselfIsDescribed() {
    let promises = (0..<4).map { _ in Promise() }
    promises[0].fulfill(promises[0])
    XCTAssertEqual(promises[0].description, "Promise(fulfilled: Promise(fulfilled))")
    promises[1].reject(promises[1])
    XCTAssertTrue(promises[1].description.contains("Promise(rejected)"), promises[1].description)
    promises[2].fulfill([promises[2]])
    XCTAssertTrue(promises[2].description.hasPrefix("Promise(fulfilled: [Promise(fulfilled)"))
    promises[3].cancel(promises[3])
    XCTAssertTrue(promises[3].description.contains("Promise(cancelled)"), promises[3].description)
    XCTAssertTrue(promises[3].treeDescription.contains("Promise(cancelled)"))
    XCTAssertEqual(Promise.resolved("text").description, "Promise(fulfilled: text)")
    XCTAssertEqual(Promise.rejected("no").description, "Promise(rejected: no)")
    let cancelled = Promise()
    cancelled.cancel("enough")
    XCTAssertEqual(cancelled.description, "Promise(cancelled: enough)")
  }
}
