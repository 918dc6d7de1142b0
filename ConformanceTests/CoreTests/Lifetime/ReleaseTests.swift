// What settling releases, and the ancestors that still exist (L3): the rest of `LifetimeTests`.

import DynamicPromise
import XCTest

final class ReleaseTests: XCTestCase {
  // Spec: L3.5
  func testHandlersAreFreedAfterSettling() {
    for fulfilled in [true, false] {
      let context = SteppedContext()
      let freed = Log<String>()
      let promise = Promise(on: context)
      func register(_ name: String) -> Promise {
        let (ran, other) = (Canary { freed.append("ran \(name)") }, Canary { freed.append("other \(name)") })
        return promise.then(
          { _ in withExtendedLifetime(fulfilled ? ran : other) {} },
          { _ in withExtendedLifetime(fulfilled ? other : ran) {} })
      }
      let child = register("early")
      XCTAssertEqual(freed.count, 0)
      if fulfilled { promise.fulfill(0) } else { promise.reject("no") }
      context.drain()
      XCTAssertEqual(Set(freed.all), ["ran early", "other early"])
      let late = register("late")
      context.drain()
      XCTAssertEqual(freed.count, 4)
      withExtendedLifetime((child, late)) {}
    }
  }

  // Spec: L3.5
  func testHandlersOfAnInheritedOutcomeAreFreed() {
    let freed = Counter()
    func register(_ promise: Promise) -> Promise {
      let canary = Canary { freed.increment() }
      return promise.then { _ in withExtendedLifetime(canary) {} }
    }
    let promise = Promise()
    let child = register(promise)
    let below = register(child)
    promise.reject("no")
    XCTAssertEqual(freed.value, 2)
    withExtendedLifetime(below) {}
  }

  // Spec: L3.6
  func testParentWhilePending() {
    let context = SteppedContext()
    let leaf: Promise
    do {
      let root = Promise(on: context)
      leaf = root.then { _ in }.then { _ in }
      XCTAssertNil(root.parent)
    }
    // Nothing retains root and middle; the pending child does.
    let middle = leaf.parent
    XCTAssertNotNil(middle)
    XCTAssertTrue(middle !== leaf)
    let root = middle?.parent
    XCTAssertNotNil(root)
    XCTAssertNil(root?.parent)
    let other = Promise()
    other.resolve(leaf)
    XCTAssertNil(other.parent, "adoption is no parenthood")
    root?.fulfill(0)
    context.step()
    XCTAssertTrue(leaf.parent === middle)
    context.step()
    XCTAssertTrue(leaf.isFulfilled)
    XCTAssertTrue(leaf.parent === middle)
    XCTAssertTrue(other.isFulfilled)
  }

  /// A settled chain of `count` promises under a root.
  private func settledChain(_ count: Int, _ context: SteppedContext) -> [Promise] {
    var chain = [Promise(on: context)]
    for _ in 0..<count { chain.append(chain.last!.then { _ in }) }
    chain[0].fulfill(0)
    context.drain()
    return chain
  }

  // Spec: L3.6
  func testParentIsTheNearestHeldAncestor() {
    for settledFirst in [true, false] {
      // Every choice of what is held of a chain of five above the last one.
      for held in 0..<32 {
        let context = SteppedContext()
        var chain: [Promise?]
        if settledFirst {
          chain = settledChain(5, context)
        } else {
          chain = [Promise(on: context)]
          for _ in 0..<5 { chain.append(chain.last!!.then { _ in }) }
          chain[0]?.fulfill(0)
        }
        for index in 0..<5 where held & 1 << index == 0 { chain[index] = nil }
        context.drain()
        let leaf = chain[5]!
        XCTAssertTrue(leaf.isFulfilled)
        var expected: [Promise] = []
        for index in 0..<5 { if let promise = chain[index] { expected.append(promise) } }
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

  // Spec: L3.7
  func testRootIsTheFurthestHeldAncestor() {
    let context = SteppedContext()
    var chain = settledChain(4, context)
    let leaf = chain.removeLast()
    let alone = Promise()
    XCTAssertTrue(alone.root === alone)
    XCTAssertTrue(leaf.root === chain[0])
    XCTAssertTrue(chain[0].root === chain[0])
    let sibling = chain[0].then { _ in }
    XCTAssertTrue(sibling.root === chain[0])
    context.drain()
    XCTAssertTrue(sibling.root === chain[0])
    while !chain.isEmpty {
      XCTAssertTrue(leaf.root === chain[0])
      chain.removeFirst()
    }
    XCTAssertTrue(leaf.root === leaf)
    XCTAssertTrue(sibling.root === sibling)
  }

  /// More of them than one critical section takes care of.
  // Spec: L3.7
  func testManyChildrenOutliveTheirParentOrRoot() {
    for hasRoot in [true, false] {
      var root: Promise? = Promise.resolved(0)
      var parent = root?.thenOn(.immediate) { $0 }
      if !hasRoot { root = nil }
      let children = (0..<300).map { _ in parent!.thenOn(.immediate) { $0 } }
      parent = nil
      for child in children {
        XCTAssertTrue(child.parent === root)
        XCTAssertTrue(child.root === root ?? child)
      }
      root = nil
      for child in children { XCTAssertNil(child.parent) }
    }
  }

  // Spec: L3.8
  func testUnheldSettledIntermediatesAreFreed() {
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
    // The parent of a pending promise is held by it; all others are freed.
    XCTAssertEqual(census.alive, 1)
    resolver.fulfill(0)
    XCTAssertTrue(leaf.isFulfilled)
    XCTAssertEqual(census.alive, 0)
    XCTAssertTrue(leaf.parent === root)
  }

  // Spec: L3.9
  func testCycleOfAdoptionsIsReleased() {
    let census = Census()
    func run() {
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
      weak var weakOwn: Promise?
      let child = census.add(root.then { _ in own.all[0] })
      weakOwn = child
      own.append(child)
      root.fulfill(0)
      XCTAssertTrue(weakOwn?.isRejected == true)
    }
    run()
    XCTAssertEqual(census.alive, 0)
  }

  // Spec: L3.9
  func testPromisesOfAMixedProgramAreReleased() {
    let census = Census()
    let context = SteppedContext()
    func run() {
      let (source, resolver) = Promise.pending(on: context)
      let (side, sideResolver) = Promise.pending(on: context)
      census.add(source)
      census.add(side)
      var tail = source
      for number in 0..<30 {
        switch number % 6 {
        case 0: tail = census.add(tail.then { _ in census.add(Promise.resolved(number)) })
        case 1: tail = census.add(tail.finally {})
        case 2:
          let before = tail
          tail = census.add(tail.then { _ in census.add(before.then { $0 }) })
        case 3:
          let adopter = census.add(Promise(on: context))
          adopter.bind(tail)
          tail = adopter
        case 4:
          census.add(tail.then { _ in side }).cancel()
          tail = census.add(tail.then { _ in StructThenable { resolve, _ in resolve(number) } })
        default:
          census.add(tail.then { _ in side })
          tail = census.add(tail.then({ _ in throw Failure() }, { _ in 0 }).catch { _ in number })
        }
      }
      census.add(source.then { _ in 1 }.then { _ in side }.then { $0 })
      resolver.fulfill(0)
      context.drain()
      XCTAssertTrue(tail.isFulfilled)
      source.cancel()
      // Discarded chains that are not below the source still follow it.
      XCTAssertFalse(sideResolver.isCancelled)
      sideResolver.fulfill(1)
      context.drain()
    }
    run()
    XCTAssertEqual(census.alive, 0)
  }
}
