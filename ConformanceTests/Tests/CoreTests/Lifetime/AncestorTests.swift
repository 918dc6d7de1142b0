// `parent` and `root`, and the promises that are freed between them (L3.6 to L3.9).

import DynamicPromise
import XCTest

final class AncestorTests: XCTestCase {
  private let (target, resolver) = Promise.pending()

  /// The number of promises, which exceeds the number of spare blocks of a lock.
  private let count = 2000

  // Spec: L3.6
  func testThePendingChildRetainsItsParent() {
    let context = SteppedContext()
    let leaf: Promise
    do {
      let root = Promise(on: context)
      leaf = root.then { _ in }.then { _ in }
      XCTAssertNil(root.parent)
    }
    // Only the pending child retains root and middle.
    let middle = leaf.parent
    XCTAssertNotNil(middle)
    XCTAssertTrue(middle !== leaf)
    let root = middle?.parent
    XCTAssertNotNil(root)
    XCTAssertNil(root?.parent)
    let other = Promise()
    other.resolve(leaf)
    XCTAssertNil(other.parent, "an adopter is not a child")
    root?.fulfill(0)
    context.step()
    XCTAssertTrue(leaf.parent === middle)
    context.step()
    XCTAssertTrue(leaf.isFulfilled)
    XCTAssertTrue(leaf.parent === middle)
    XCTAssertTrue(other.isFulfilled)
  }

  // Spec: L3.6, L3.7
  func testParentIsTheNearestAncestorThatExists() {
    for settledFirst in [true, false] {
      // Tries every subset of the five promises above the last one as the held promises.
      for held in 0..<32 {
        let context = SteppedContext()
        var chain: [Promise?] = [Promise(on: context)]
        for _ in 0..<5 { chain.append(chain.last!!.then { _ in }) }
        chain[0]?.fulfill(0)
        if settledFirst { context.drain() }
        for index in 0..<5 where held & 1 << index == 0 { chain[index] = nil }
        context.drain()
        let leaf = chain[5]!
        XCTAssertTrue(leaf.isFulfilled)
        var expected = chain[..<5].compactMap { $0 }
        XCTAssertTrue(leaf.root === (expected.first ?? leaf), "root with \(held) held")
        var below = leaf
        while let ancestor = expected.popLast() {
          XCTAssertTrue(below.parent === ancestor, "\(held) held, settled first: \(settledFirst)")
          below = ancestor
        }
        XCTAssertNil(below.parent)
        XCTAssertTrue(below.root === below)
      }
    }
  }

  // Spec: L3.8
  func testUnreferencedSettledPromisesAreFreed() {
    let context = SteppedContext()
    let census = Census()
    let (open, resolver) = Promise.pending(on: context)
    let root = Promise(on: context)
    let leaf: Promise
    do {
      var tail = root
      for _ in 0..<20 { tail = census.add(tail.then { _ in }) }
      leaf = tail.then { _ in open }
      root.fulfill(0)
      context.drain()
      for _ in 0..<20 { census.add(root.then { _ in }) }
      context.drain()
    }
    XCTAssertTrue(leaf.isPending)
    XCTAssertTrue(leaf.root === root)
    // The pending promise retains its parent; all other promises are freed.
    XCTAssertEqual(census.alive, 1)
    resolver.fulfill(0)
    XCTAssertTrue(leaf.isFulfilled)
    XCTAssertEqual(census.alive, 0)
    XCTAssertTrue(leaf.parent === root)
  }

  // Spec: L3.9
  func testACycleOfFollowersIsReleased() {
    assertAllFreed { census in
      for length in [1, 2, 5] {
        let ring = (0..<length).map { _ in census.add(Promise()) }
        for index in 0..<length {
          census.add(ring[index].then { _ in })
          ring[index].bind(ring[(index + 1) % length])
        }
        XCTAssertTrue(ring.allSatisfy(\.isRejected))
      }
      let own = Log<Promise>()
      let root = census.add(Promise(on: .immediate))
      let child = census.add(root.then { _ in own.all[0] })
      own.append(child)
      root.fulfill(0)
      XCTAssertTrue(child.isRejected)
    }
  }

  /// Makes an unretained step below `root`, and a follower of the step.
  private func follower(of root: Promise) -> (follower: Promise, step: WeakReference<Promise>) {
    let step = root.thenOn(.immediate) { [target] _ in target }
    return (step.follower(), WeakReference(step))
  }

  // Spec: C3.4
  func testACancelOfAnAncestorIncludesAFollowedFollower() {
    let root = Promise.resolved(1)
    let (follower, step) = follower(of: root)
    XCTAssertNotNil(step.object, "a cancel of the root finds the follower through the step")
    root.cancel()
    XCTAssertTrue(follower.isCancelled)
    XCTAssertTrue(resolver.isCancelled, "the target has no other consumer")
    resolver.fulfill(0)
    XCTAssertNil(step.object)
  }

  // Spec: L3.8
  func testAFollowedFollowerIsFreedWithItsLastAncestor() {
    var root: Promise? = Promise.resolved(1)
    var below = root?.thenOn(.immediate) { $0 }
    let (follower, step) = follower(of: below!)
    root = nil
    XCTAssertNotNil(step.object, "one ancestor is left")
    below = nil
    XCTAssertNil(step.object)
    resolver.fulfill(2)
    XCTAssertEqual(try? follower.value(), 2)
    withExtendedLifetime(root) {}
  }

  // Spec: L3.6, L3.9
  func testAStepThatFollowsAPendingPromiseRetainsItsParent() {
    assertAllFreed { census in
      let gate = Promise()
      var parent: Promise? = census.add(Promise(on: .immediate))
      let step = census.add(parent!.then { _ in gate })
      parent!.fulfill(1)
      XCTAssertTrue(step.isPending)
      parent = nil
      XCTAssertEqual(census.alive, 2)
      XCTAssertNotNil(step.parent)
      step.parent?.cancel()
      XCTAssertTrue(step.isCancelled && gate.isCancelled)
    }
  }

  // Spec: L3.6, L3.8, C3.3
  func testOnlyTheEndsOfAChainInPlaceAreLeft() {
    let census = Census()
    let root = Promise.resolved(0, on: .immediate)
    var last = root
    for _ in 0..<100 { last = census.add(last.then { $0 as! Int + 1 }) }
    XCTAssertEqual(try last.get() as? Int, 100)
    XCTAssertEqual(census.alive, 1)
    XCTAssertTrue(last.parent === root)
    let open = last.then { _ in Promise() }
    root.cancel()
    XCTAssertTrue(open.isCancelled)
  }

  /// Frees promises that had a parent, siblings and children, or that retained themselves.
  private func leaveMemory(above: Promise) {
    let gate = Promise(on: .immediate)
    var pending: [Promise] = []
    for number in 0..<count {
      let (root, follower) = (Promise(on: .immediate), Promise(on: .immediate))
      pending.append(root)
      follower.bind(root.then { $0 }.then { _ in gate })
      root.catch { _ in }
      if number % 2 == 0 { root.fulfill(1) }
      above.then { _ in 1 }.then { _ in 2 }
    }
    gate.fulfill(1)
    for promise in pending { promise.cancel() }
  }

  /// A parent and its child. The parent needs a block because of the child.
  private func family() -> (parent: Promise, child: Promise) {
    let parent = Promise(on: .immediate)
    return (parent, parent.then { _ in })
  }

  // Spec: L3.6, L3.7
  func testANewPromiseHasNoRelativesOfAFreedOne() {
    let above = Promise.resolved(1, on: .immediate)
    let elder = (0..<300).map { _ in above.then { _ in 1 } }
    for _ in 0..<3 {
      leaveMemory(above: above)
      let families = (0..<count).map { _ in family() }
      XCTAssertEqual(families.count { $0.parent.parent == nil && $0.parent.root === $0.parent }, count)
      XCTAssertEqual(families.count { $0.child.parent === $0.parent && $0.child.root === $0.parent }, count)
      XCTAssertEqual(families.count { $0.parent.readChildren() == [$0.child] }, count, "only its own child")
      XCTAssertEqual(families.count { $0.child.readChildren().isEmpty }, count)
      XCTAssertTrue(elder.allSatisfy { $0.parent === above })
    }
  }
}
