// Clean-up of a followed promise is scheduled before clean-up of its follower (C4.25).

import DynamicPromise
import XCTest

final class CleanUpOrderTests: XCTestCase {
  private let context = SteppedContext()

  /// Asserts the order of the clean-up for three pairs of outer and inner contexts.
  private func assertOrder(
    _ expected: [String], _ name: String = "", file: StaticString = #filePath, line: UInt = #line,
    _ program: (_ outer: any ExecutionContext, _ inner: any ExecutionContext, Log<String>) -> Void
  ) {
    let places: [(any ExecutionContext, any ExecutionContext)] = [
      (.immediate, .immediate), (context, context), (context, .immediate),
    ]
    for (outer, inner) in places {
      let log = Log<String>()
      program(outer, inner, log)
      context.drain()
      XCTAssertEqual(log.all, expected, "\(name) on \(outer), \(inner)", file: file, line: line)
    }
  }

  // Spec: C4.25
  func testCleanUpOfTheFollowedPromiseComesFirst() {
    for isBoundByHand in [false, true] {
      assertOrder(["inner", "outer"], "by hand: \(isBoundByHand)") { outerContext, innerContext, log in
        let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
        let root = Promise.resolved(1, on: outerContext)
        let outer = isBoundByHand ? inner.follower(on: outerContext) : root.then { _ in inner }
        // The cancel passes through a step without a rejection handler.
        let end = outer.then { $0 }.finally { log.append("outer") }
        context.drain()
        XCTAssertTrue(end.withdraw())
      }
    }
  }

  // Spec: C4.25
  func testCleanUpOfNestedFunctionsRunsFromTheInside() {
    assertOrder(["1", "2", "3", "4"]) { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      let first = Promise(on: innerContext).then { $0 }.finally { log.append("1") }
      let second = root.then { _ in first }.finally { log.append("2") }
      let third = root.then { _ in second }.then { $0 }.finally { log.append("3") }
      let fourth = root.then { _ in third }.catch { _ in log.append("4") }
      context.drain()
      fourth.parent?.cancel()
    }
  }

  // Spec: C4.25, C8.3
  func testADeepNestOfFollowersNeedsNoDeepStack() {
    let log = Log<Int>()
    var end = Promise(on: .immediate)
    let numbers = Array(0..<depthBeyondTheStack / 5)
    for number in numbers { end = end.follower().finally { log.append(number) } }
    onSmallStack { [end] in XCTAssertTrue(end.withdraw()) }
    XCTAssertTrue(log.all == numbers)
  }

  // Spec: C4.25
  func testCleanUpOfTheInputsComesBeforeThatOfTheCombinator() {
    assertOrder(["inner", "outer"]) { outerContext, innerContext, log in
      let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
      let all = Promise.all([inner], on: outerContext)
      all.finally { log.append("outer") }
      all.cancel()
    }
  }
}
