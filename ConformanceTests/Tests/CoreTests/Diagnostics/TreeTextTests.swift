// The tree as text (H9).

import DynamicPromise
import DynamicPromiseDiagnostics
import XCTest

final class TreeTextTests: XCTestCase {
  // Spec: H9.1, H2.6
  func testAncestorsItselfAndWhatIsPendingBelow() {
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
  func testThroughWhatNoLongerExists() {
    let context = SteppedContext()
    let other = Promise()
    let root = Promise(on: context)
    let last = root.then { _ in 2 }.then { _ in 3 }.then { _ in other }
    defer { withExtendedLifetime(last) {} }
    root.fulfill(1)
    context.drain()
    XCTAssertEqual(
      root.treeDescription,
      """
      Promise(fulfilled: 1)
        Promise(fulfilled: 3)
          Promise(pending) follows Promise(pending)
      """)
    other.reject(Failure("late"))
    XCTAssertEqual(root.treeDescription, "Promise(fulfilled: 1)")
  }

  // Spec: H9.1
  func testAnAncestorThatFollowsAnotherSaysSo() {
    let (other, above) = (Promise(), Promise())
    above.bind(other)
    let below = above.then { $0 }
    XCTAssertEqual(
      below.treeDescription, "Promise(pending) follows Promise(pending)\n  Promise(pending)  <--")
  }

  // Spec: H9.1
  func testStates() {
    let cancelled = Promise()
    cancelled.cancel("enough")
    let child = cancelled.then { $0 }
    XCTAssertEqual(
      child.treeDescription,
      """
      Promise(cancelled: cancelled: enough)
        Promise(cancelled: cancelled: enough)  <--
      """)
    XCTAssertEqual(Promise.rejected("no").treeDescription, "Promise(rejected: rejected: no)")
    XCTAssertEqual(Promise.resolved(1).treeDescription, "Promise(fulfilled: 1)")
    XCTAssertEqual(Promise().treeDescription, "Promise(pending)")
  }

  // Spec: H9.2
  func testDebugDescriptionHasTheAddress() {
    let root = Promise()
    let child = root.then { $0 }
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(child).toOpaque()), radix: 16)
    let text = "Promise(pending) at 0x\(address)"
    XCTAssertEqual(child.debugDescription, text)
    XCTAssertEqual(child.debugDescription, text)
    XCTAssertEqual(String(reflecting: child), text)
    withExtendedLifetime(root) {}
  }

  // Spec: L4.7
  func testADeepTree() {
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

  // Spec: L4.7
  func testAWideTree() {
    let root = Promise()
    let children = (0..<1000).map { _ in root.then { $0 } }
    XCTAssertEqual(root.treeDescription.split(separator: "\n").count, 1001)
    withExtendedLifetime(children) {}
  }

  // Spec: H9.3
  func testAValuesDescriptionMayUsePromises() {
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
  func testWhileTheTreeChanges() {
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

  /// The names in the text, in order.
  private static func names(_ promise: Promise) -> [String] {
    promise.treeDescription.split(separator: "\n").compactMap { line in
      line.contains(": Promise") ? line.split(separator: ":")[0].trimmingCharacters(in: .whitespaces) : nil
    }
  }

  // Spec: H9.4
  func testWhileChildrenLeave() {
    let expected = stride(from: 0, to: 400, by: 7).map { "kept \($0)" }
    for round in 0..<40 {
      let context = SteppedContext()
      let root = Promise(on: context)
      let children = (0..<400).map { _ in root.then { $0 } }
      for number in stride(from: 0, to: 400, by: 7) { children[number].named("kept \(number)") }
      // In every second round, the handlers are scheduled, and the children are in another list.
      if round % 2 == 1 { root.fulfill(1) }
      let ended = Counter()
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          for (number, child) in children.enumerated() where number % 7 != 0 { child.cancel() }
          ended.increment()
        } else {
          repeat {
            XCTAssertEqual(Self.names(root), expected, "each remaining child is named once, in order")
          } while ended.value == 0
        }
      }
      XCTAssertEqual(Self.names(root), expected)
    }
  }

  // Spec: H9.4
  func testWhileChildrenAreScheduled() {
    for _ in 0..<40 {
      let context = SteppedContext()
      let root = Promise(on: context)
      let children = Set((0..<3000).map { _ in root.then { $0 } })
      let ended = Counter()
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          root.fulfill(1)
          ended.increment()
        } else {
          // Meanwhile all children move from one list to the other.
          repeat {
            let read = root.readChildren()
            XCTAssertEqual(read.count, children.count)
            XCTAssertEqual(Set(read), children)
          } while ended.value == 0
        }
      }
      root.cancel()
    }
  }

  // Spec: H9.4
  func testWhileAParentIsFreed() {
    for _ in 0..<8 {
      let context = SteppedContext()
      let root = Promise.resolved(1, on: context)
      let middle = Hold(root.then { $0 })
      context.drain()
      var children: [Promise] = []
      middle.with { middle in
        children = (0..<300).map { number in middle.then { $0 }.named("child \(number)") }
      }
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          middle.drop()
        } else {
          for _ in 0..<5 {
            let names = Self.names(root)
            XCTAssertEqual(Set(names).count, names.count, "no name appears twice")
          }
        }
      }
      XCTAssertEqual(Set(Self.names(root)).count, 300)
      withExtendedLifetime(children) {}
    }
  }
}
