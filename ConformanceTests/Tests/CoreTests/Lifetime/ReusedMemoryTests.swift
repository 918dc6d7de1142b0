// A promise's links in its tree are in a block of memory. Release builds reuse the block for later promises,
// which must not find old links there.

import DynamicPromise
import XCTest

final class ReusedMemoryTests: XCTestCase {
  /// The number of promises, which exceeds the number of spare blocks of a lock.
  private let count = 2000

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

  // Spec: C3.2, L3.9
  func testACancelReachesThoseBelowAndNoOthers() {
    let above = Promise.resolved(1, on: .immediate)
    assertAllFreed { census in
      leaveMemory(above: above)
      let families = (0..<count).map { _ in family() }
      for (parent, child) in families { [parent, child].forEach { census.add($0) } }
      above.cancel()
      XCTAssertTrue(families.allSatisfy { $0.child.isPending })
      for number in stride(from: 0, to: count, by: 2) { families[number].parent.cancel() }
      for (number, family) in families.enumerated() {
        XCTAssertEqual(family.child.isCancelled, number % 2 == 0, "\(number)")
        family.parent.fulfill(1)
      }
    }
  }
}
