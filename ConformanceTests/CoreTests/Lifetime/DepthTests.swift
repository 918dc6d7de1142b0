// Depth and growth: nothing recurses over our own links (L4), nothing is kept that is not needed (L3).

import Dispatch
import DynamicPromise
import XCTest

final class DepthTests: XCTestCase {
  private let depth = depthBeyondTheStack
  /// A chain of adoptions over promises that are all held moves followers at each link, which takes 15
  /// microseconds.
  private var depthOfHeldAdoptions: Int { depth / 5 }

  // Spec: L4.1
  func testSettlingOfADeepChain() {
    let depth = depth
    onSmallStack {
      let root = Promise(on: .immediate)
      var tail = root
      for _ in 0..<depth { tail = tail.then { $0 as! Int + 1 } }
      root.fulfill(0)
      XCTAssertEqual(try tail.value(), depth)
    }
  }

  // Spec: L4.1
  func testSettlingOfADeepChainOnTheDefaultContext() {
    let depth = depth
    onSmallStack {
      let root = Promise()
      var tail = root
      for _ in 0..<depth { tail = tail.then { $0 as! Int + 1 } }
      root.fulfill(0)
      XCTAssertEqual(try tail.value(), depth)
    }
  }

  // Spec: L4.1
  func testPassingThroughOfADeepChain() {
    let depth = depth
    onSmallStack {
      let root = Promise()
      var tail = root
      for _ in 0..<depth { tail = tail.then { _ in 1 } }
      let failure = Failure()
      root.reject(failure)
      XCTAssertTrue(try tail.reason() as? Failure === failure)
    }
  }

  // Spec: L4.2
  func testAdoptionOfADeepChain() {
    let depth = depthOfHeldAdoptions
    onSmallStack {
      let promises = (0..<depth).map { _ in Promise() }
      for index in 0..<(depth - 1) { promises[index].resolve(promises[index + 1]) }
      promises[depth - 1].fulfill("end")
      XCTAssertTrue(promises.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: L4.2
  func testAdoptionOfADeepChainBackwards() {
    let depth = depth
    onSmallStack {
      let promises = (0..<depth).map { _ in Promise() }
      for index in 1..<depth { promises[index].resolve(promises[index - 1]) }
      promises[0].fulfill("end")
      XCTAssertTrue(promises.allSatisfy { $0.isFulfilled })
    }
  }

  // Spec: C8.1, L4.6
  func testCancelOfADeepChain() {
    let depth = depth
    onSmallStack {
      let root = Promise()
      var promises = [root]
      for _ in 0..<depth { promises.append(promises[promises.count - 1].then { _ in 1 }) }
      root.cancel()
      XCTAssertTrue(promises.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: C8.2
  func testCancelOfAWideTree() {
    let depth = depth
    onSmallStack {
      let root = Promise()
      let children = (0..<depth).map { _ in root.then { _ in 1 } }
      root.cancel()
      XCTAssertTrue(children.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: C8.3
  func testCancelOfADeepAdoption() {
    let depth = depthOfHeldAdoptions
    onSmallStack {
      let promises = (0..<depth).map { _ in Promise() }
      for index in 0..<(depth - 1) { promises[index].resolve(promises[index + 1]) }
      promises[0].cancel()
      XCTAssertTrue(promises.allSatisfy { $0.isCancelled })
    }
  }

  // Spec: L4.4, C3.2
  func testReleaseOfADeepSettledChain() {
    let depth = depth
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
      // Released from the back, what remains of the rest becomes a long chain.
      let last = promises[depth]
      while promises.count > 1 { promises.removeLast() }
      XCTAssertTrue(last.parent === root)
      promises = []
    }
  }

  // Spec: L4.3
  func testReleaseOfADeepPendingChain() {
    let depth = depth
    onSmallStack {
      let released = Event()
      do {
        let (root, resolver) = Promise.pending()
        var tail = root
        for _ in 0..<depth { tail = tail.then { _ in 1 } }
        let canary = Canary { released.signal() }
        tail.then { _ in withExtendedLifetime(canary) {} }
        withExtendedLifetime(resolver) {}
      }
      released.wait("release")
    }
  }

  // Spec: L4.3
  func testReleaseOfADeepChainOfAdoptions() {
    let depth = depthOfHeldAdoptions
    onSmallStack {
      let (end, resolver) = Promise.pending()
      var promises = (0..<depth).map { _ in Promise() }
      promises.append(end)
      for index in 0..<depth { promises[index].resolve(promises[index + 1]) }
      let middle = WeakReference(promises[depth / 2])
      // From the back: each is then held by the one before it alone, until the first of them is released.
      while promises.count > 1 { promises.removeLast() }
      XCTAssertNil(middle.object)
      resolver.fulfill("end")
      XCTAssertTrue(promises[0].isFulfilled)
    }
  }

  // Spec: L4.1
  func testManySequencesThatWaitForOnePromise() {
    let count = depth / 5
    onSmallStack {
      let shared = Promise(on: .immediate)
      let sequences = (0..<count).map { _ in Promise.sequence([1, 2, 3], on: .immediate) { _ in shared } }
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

  // Spec: L4.4
  func testLongChainOfHeldStepsCostsTheSameAtEachStep() {
    let depth = depth / 5
    onSmallStack {
      let root = Promise(on: .immediate)
      root.fulfill(0)
      var promises = [root]
      // Each step wakes the path to the root up again; if that cost a step for each ancestor, this would not
      // end.
      for _ in 0..<depth { promises.append(promises[promises.count - 1].then { $0 as! Int + 1 }) }
      XCTAssertEqual(try promises[depth].value(), depth)
      let (open, resolver) = Promise.pending()
      let waiting = promises[depth].then { _ in open }
      root.cancel()
      XCTAssertTrue(waiting.isCancelled)
      XCTAssertTrue(resolver.isCancelled)
    }
  }

  // Spec: L4.5
  func testNestedSynchronousThenables() {
    let depth = depth
    onSmallStack {
      XCTAssertEqual(try Promise.resolved(Countdown(depth)).value(), "done")
    }
  }

  // Spec: L3.2
  func testRecursiveIterationRunsInConstantMemory() throws {
    let alive = LiveCount()
    let rounds = depth
    @Sendable func loop(_ index: Int) -> Promise {
      let canary = alive.make()
      return Promise.resolved(index).then { _ -> Any in
        withExtendedLifetime(canary) {}
        return index == rounds ? index : loop(index + 1)
      }
    }
    XCTAssertEqual(try loop(0).value(), rounds)
    XCTAssertLessThan(alive.peak, 100)
  }

  // Spec: L3.3
  func testShortLivedChildrenOfASettledPromise() {
    let alive = LiveCount()
    let long = Promise(on: .immediate)
    long.fulfill(0)
    for _ in 0..<depth { long.then { _ in alive.make() } }
    XCTAssertLessThanOrEqual(alive.peak, 2)
  }

  // Spec: L3.3
  func testShortLivedChildrenOfAPendingPromise() {
    let alive = LiveCount()
    let long = Promise()
    for _ in 0..<depth {
      let canary = alive.make()
      long.then { _ in withExtendedLifetime(canary) {} }.cancel()
    }
    XCTAssertLessThanOrEqual(alive.peak, 2)
  }
}
