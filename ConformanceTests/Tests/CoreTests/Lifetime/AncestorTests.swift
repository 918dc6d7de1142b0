// `parent` and `root`, and the promises that are freed between them (L3.6 to L3.9).

import DynamicPromise
import XCTest

final class AncestorTests: XCTestCase {
  private let (target, resolver) = Promise.pending()

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
}
