// The tree as text (H9).

import DynamicPromise
import DynamicPromiseDiagnostics
import XCTest

final class TreeTextTests: XCTestCase {
  // Spec: H9.1, H2.6
  func testTheTextShowsAncestorsAndPendingDescendants() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let settled = root.then { _ in 2 }
    root.fulfill(1)
    context.drain()
    let middle = settled.then { $0 }
    let first = middle.then { $0 }
    let second = middle.then { $0 }
    let below = second.then { $0 }
    XCTAssertEqual(
      middle.treeDescription,
      """
      Promise(fulfilled: 1)
        Promise(fulfilled: 2)
          Promise(pending)  <--
            Promise(pending)
            Promise(pending)
              Promise(pending)
      """)
    context.drain()
    XCTAssertEqual(root.treeDescription, "Promise(fulfilled: 1)")
    withExtendedLifetime((first, below)) {}
  }

  // Spec: H9.1
  func testALineStatesThatItsPromiseFollowsAnother() {
    let (other, above) = (Promise(), Promise())
    above.bind(other)
    let below = above.then { $0 }
    XCTAssertEqual(
      below.treeDescription, "Promise(pending) follows Promise(pending)\n  Promise(pending)  <--")
  }

  // Spec: H9.2
  func testDebugDescriptionHasTheAddress() {
    let root = Promise()
    let child = root.then { $0 }
    let text = "Promise(pending) at 0x\(String(child.identity.number, radix: 16))"
    XCTAssertEqual(child.debugDescription, text)
    XCTAssertEqual(child.debugDescription, text)
    XCTAssertEqual(String(reflecting: child), text)
    withExtendedLifetime(root) {}
  }

  // Spec: L4.7
  func testADeepTreeIsDescribedWithoutRecursion() {
    let depth = min(depthBeyondTheStack, 100_000)
    onSmallStack {
      let root = Promise()
      var tail = root
      for _ in 1..<depth { tail = tail.then { $0 } }
      let text = root.treeDescription.utf8
      let newline = UInt8(ascii: "\n")
      XCTAssertEqual(text.count(where: { $0 == newline }), depth - 1)
      XCTAssertTrue(text.suffix(40).elementsEqual(tail.treeDescription.utf8.dropLast(5).suffix(40)))
      root.cancel()
    }
  }

  // Spec: H9.3
  func testTheDescriptionOfAValueMayUsePromises() {
    final class Curious: CustomStringConvertible {
      var promise: Promise?
      var description: String {
        promise?.then { $0 }
        return "curious \(promise?.isFulfilled ?? false)"
      }
    }
    let value = Curious()
    let promise = Promise.resolved(value)
    value.promise = promise
    XCTAssertEqual(promise.treeDescription, "Promise(fulfilled: curious true)")
    value.promise = nil
  }

  // Spec: H9.4
  func testTheTextMayBeReadWhileTheTreeChanges() {
    for _ in 0..<50 {
      let root = Promise()
      DispatchQueue.concurrentPerform(iterations: 3) { worker in
        switch worker {
        case 0:
          var tail = root
          for _ in 0..<200 { tail = tail.then { $0 } }
        case 1: for _ in 0..<20 { XCTAssertFalse(root.treeDescription.isEmpty) }
        default: root.fulfill(1)
        }
      }
    }
  }
}
