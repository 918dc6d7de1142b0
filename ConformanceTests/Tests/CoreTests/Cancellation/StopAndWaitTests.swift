// `end.withdraw(); try await end.finished().value` stops a chain of any shape, and waits for its clean-up.

import DynamicPromise
import XCTest

final class StopAndWaitTests: XCTestCase {
  // Spec: C4.24
  func testAWithdrawalAgainstASettlementOfALongChain() {
    race(lanes: 2, rounds: 20_000) { _ in
      let root = Promise(on: .immediate)
      var end = root
      for _ in 0..<64 { end = end.then { $0 } }
      let (last, answer) = (end, Log<Bool>())
      return racing([{ answer.append(last.withdraw()) }, { root.fulfill(1) }]) {
        eventually("the outcome") { last.isSettled }
        XCTAssertEqual(answer.all, [last.isCancelled])
      }
    }
  }

  // Spec: K17.5, X4.3
  func testADeinitThatTheEndOfAWaitCausesMayCancel() {
    for isBelow in [false, true] {
      let (victim, seen) = (Promise(on: .immediate), Log<Bool>())
      let below = victim.then { $0 }
      let slow = Promise(on: .immediate)
      let acting = { @Sendable in
        Canary {
          victim.cancel()
          seen.append(below.isCancelled)
        }
      }
      let whole = { () -> Promise in
        let root = Promise.resolved(isBelow ? 0 : acting(), on: .immediate)
        root.then { _ in isBelow ? acting() : 0 }.then { _ in slow }
        return root.finished()
      }()
      slow.fulfill(1)
      XCTAssertTrue(whole.isFulfilled)
      XCTAssertEqual(seen.all, [true])
    }
  }
}
