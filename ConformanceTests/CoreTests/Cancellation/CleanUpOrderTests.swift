// Clean-up of what was followed comes before that of the follower (C4.25).

import DynamicPromise
import XCTest

final class CleanUpOrderTests: XCTestCase {
  private let context = SteppedContext()

  /// The order of the clean-up on `.immediate`, on a stepped context and on both in turn.
  private func assertOrder(
    _ expected: [String], _ name: String, file: StaticString = #filePath, line: UInt = #line,
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
  func testAFollower() {
    for isBoundByHand in [false, true] {
      assertOrder(["inner", "outer"], "by hand: \(isBoundByHand)") { outerContext, innerContext, log in
        let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
        let root = Promise.resolved(1, on: outerContext)
        let outer = isBoundByHand ? Promise(on: outerContext) : root.then { _ in inner }
        if isBoundByHand { outer.bind(inner) }
        // Through a step that has no handler for a rejection.
        let end = outer.then { $0 }.finally { log.append("outer") }
        context.drain()
        XCTAssertTrue(end.withdraw())
      }
    }
  }

  // Spec: C4.25
  func testThroughSeveralFunctions() {
    assertOrder(["1", "2", "3", "4"], "") { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      let first = Promise(on: innerContext).then { $0 }.finally { log.append("1") }
      let second = root.then { _ in first }.finally { log.append("2") }
      let third = root.then { _ in second }.then { $0 }.finally { log.append("3") }
      let fourth = root.then { _ in third }.catch { _ in log.append("4") }
      context.drain()
      fourth.parent?.cancel()
    }
  }

  // Spec: C4.25
  func testSeveralBesideEachOther() {
    assertOrder(["in 1", "in 2", "out 1", "out 2"], "") { outerContext, innerContext, log in
      let root = Promise.resolved(0, on: outerContext)
      for number in 1...2 {
        let inner = Promise(on: innerContext).then { $0 }.finally { log.append("in \(number)") }
        root.then { _ in inner }.finally { log.append("out \(number)") }
      }
      context.drain()
      root.cancel()
    }
  }

  // Spec: C4.25
  func testFollowersOfTheCancelledPromise() {
    assertOrder(["1", "2", "3", "4"], "") { outerContext, innerContext, log in
      let first = Promise(on: innerContext).then { $0 }.finally { log.append("1") }
      let root = Promise.resolved(0, on: innerContext)
      let second = root.then { _ in first }
      let (third, fourth) = (Promise(on: outerContext), Promise(on: outerContext))
      fourth.bind(third)
      third.bind(second)
      fourth.finally { log.append("4") }
      third.finally { log.append("3") }
      second.finally { log.append("2") }
      context.drain()
      second.cancel()
    }
  }

  // Spec: C4.25
  func testInputsOfACombinator() {
    assertOrder(["inner", "outer"], "") { outerContext, innerContext, log in
      let inner = Promise(on: innerContext).then { $0 }.finally { log.append("inner") }
      let all = Promise.all([inner], on: outerContext, cancellingInputs: true)
      all.finally { log.append("outer") }
      all.cancel()
    }
  }

  // Spec: C4.25, C3.2
  func testWhatIsBelowTheFollowerIsCancelledBeforeTheCallReturns() {
    let (inner, root) = (Promise(on: context), Promise.resolved(1, on: context))
    let outer = root.then { _ in inner }
    context.drain()
    let (step, byHand) = (outer.then { $0 }, outer.then { $0 })
    byHand.fulfill(2)
    let below = byHand.then { $0 }
    XCTAssertTrue(outer.cancel())
    for promise in [inner, outer, step, below] { XCTAssertTrue(promise.isCancelled) }
    XCTAssertTrue(byHand.isFulfilled)
  }
}
