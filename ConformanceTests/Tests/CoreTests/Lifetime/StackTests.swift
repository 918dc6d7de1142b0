// Calls that cause further calls do not deepen the stack (L4). `GrowthTableTests` runs more such calls.

import DynamicPromise
import XCTest

final class StackTests: XCTestCase {
  /// Measures the distance between the lowest and the highest visit on the stack.
  private final class Span: @unchecked Sendable {
    private var lowest = UInt.max
    private var highest = UInt.min
    private(set) var visits = 0

    @inline(never)
    func visit() {
      var here = 0
      let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
      (lowest, highest) = (min(lowest, address), max(highest, address))
      visits += 1
    }

    var length: UInt { highest - lowest }
  }

  private let count = 2000

  /// The limit is 100 bytes for each of the `count` levels. Recursion would need at least four frames for
  /// each level, which have far more than 100 bytes.
  private func assertStackDoesNotGrow(
    visits: Int? = nil, file: StaticString = #filePath, line: UInt = #line, _ body: (Span) -> Void
  ) {
    let span = Span()
    span.visit()
    body(span)
    XCTAssertEqual(span.visits, (visits ?? count) + 1, file: file, line: line)
    XCTAssertLessThan(span.length, UInt(count) * 100, file: file, line: line)
  }

  // Spec: L4.9
  func testAnAbandonHandlerThatHoldsTheNext() {
    assertStackDoesNotGrow { span in
      var last: Promise? = Promise()
      for _ in 0..<count {
        let next = last
        last = Promise(
          onCancel: { _ in },
          onAbandon: {
            span.visit()
            withExtendedLifetime(next) {}
          })
      }
      last = nil
    }
  }

  // Spec: L4.10
  func testPromisesInValuesAreTakenOutOneByOne() {
    assertStackDoesNotGrow { span in
      var last: Promise? = Promise.resolved(0, on: .immediate)
      for _ in 0..<count {
        let canary = Canary { span.visit() }
        let inner = last!
        last = Promise.resolved((inner, canary), on: .immediate)
      }
      while let current = last { last = ((try? current.result?.get()) as? (Promise, Canary))?.0 }
    }
  }

  // Spec: L4.9
  func testNestedCombinatorsAreReleased() {
    let combinators: [(Promise) -> Promise] = [
      { Promise.any([$0]) }, { Promise.all([$0]) }, { Promise.race([$0]) }, { Promise.allSettled([$0]) },
      { Promise.all([$0], cancellingInputs: true) },
    ]
    for combine in combinators {
      assertStackDoesNotGrow(visits: 1) { span in
        var last = Promise(onCancel: { _ in }, onAbandon: { span.visit() })
        for _ in 0..<count { last = combine(last) }
        last = Promise()
      }
    }
  }

  // Spec: L4.9
  func testNestedCombinatorsAreCancelled() {
    assertStackDoesNotGrow(visits: 1) { span in
      let root = Promise(onCancel: { _ in span.visit() }, onAbandon: {})
      var last = root
      for index in 0..<count {
        last =
          index % 2 == 0
          ? Promise.all([last], cancellingInputs: true) : Promise.any([last], cancellingInputs: true)
      }
      last.cancel()
      XCTAssertTrue(root.isCancelled)
    }
  }

  /// A call that is nested too deep leaves its remaining work to the outer calls. A blocking wait runs such
  /// work first.
  // Spec: L4.9
  func testAWaitInADeepHandlerIsNotForWhatIsLeftToItself() {
    let results = Log<Int>()
    let deepest = 40
    @Sendable func descend(_ level: Int) {
      let promise = Promise(on: .immediate)
      let child = promise.then { (value: Int) in
        if level < deepest { descend(level + 1) }
        return value
      }
      promise.fulfill(level)
      if let value = try? child.get(as: Int.self, timeout: patience) { results.append(value) }
    }
    descend(0)
    XCTAssertEqual(results.all, (0...deepest).reversed())
  }

  // Spec: L4.9
  func testAPromiseThatHoldsItselfIsDescribed() {
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
  }
}
