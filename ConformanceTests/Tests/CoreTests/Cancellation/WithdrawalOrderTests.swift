// Withdrawals and cancels commute (C4.17).

import DynamicPromise
import XCTest

final class WithdrawalOrderTests: XCTestCase {
  // Spec: C4.13, C4.17, C5.1
  func testBothOrdersWithACancelBesideIt() {
    // The kinds of consumers beside the follower.
    let besides: [(String, @Sendable (Chain) -> Promise)] = [
      ("a child", { $0.end.then { $0 } }), ("a child of a step", { $0.middle.then { $0 } }),
      ("a child of the root", { $0.root.then { $0 } }), ("an adopter", { $0.follower() }),
      ("a race", { Promise.race([$0.end, Promise()]) }),
      ("a catch's child", { $0.end.catch { _ in 0 }.finally {}.catch { _ in 0 }.then { $0 } }),
    ]
    for (name, makeBeside) in besides {
      for isFirst in [false, true] {
        let chain = Chain()
        let (follower, beside) = (chain.follower(), makeBeside(chain))
        for promise in isFirst ? [beside, follower] : [follower, beside] {
          XCTAssertTrue(chain.root.isPending, "\(name), first: \(isFirst)")
          promise.cancel()
        }
        chain.assertCancelled(nil, "\(name), first: \(isFirst)")
      }
    }
  }

  // Spec: C4.17
  func testEveryOrderOfSeveral() {
    // Two promises follow the end, a third promise follows another branch, and the fourth is a child of the
    // root. In every order, the chain is cancelled with the last of these promises.
    for order in permutations([0, 1, 2, 3]) {
      let chain = Chain()
      let branch = chain.root.then { $0 }.finally {}
      let promises = [chain.follower(), chain.follower(), Promise.resolved(branch), chain.root.then { $0 }]
      for (number, index) in order.enumerated() {
        XCTAssertTrue(chain.root.isPending, "\(order), \(number)")
        promises[index].cancel()
      }
      chain.assertCancelled(nil, "\(order)")
      XCTAssertTrue(branch.isCancelled)
    }
  }

  private func permutations(_ numbers: [Int]) -> [[Int]] {
    guard numbers.count > 1 else { return [numbers] }
    return numbers.flatMap { first in permutations(numbers.filter { $0 != first }).map { [first] + $0 } }
  }

  // Spec: C4.17
  func testFromTwoThreads() {
    race(lanes: 2, rounds: 2000) { round in
      let chain = Chain()
      let follower = chain.follower()
      let beside =
        switch round % 4 {
        case 0: chain.follower()
        case 1: chain.end.then { $0 }
        case 2: chain.middle.then { $0 }
        default: Promise.all([chain.end], cancellingInputs: true)
        }
      return ([{ follower.cancel() }, { beside.cancel() }], { chain.assertCancelled(nil, "round \(round)") })
    }
  }

  // Spec: C4.17
  func testAgainstTheEndOfTheChain() {
    race(lanes: 2, rounds: 2000) { round in
      let chain = Chain()
      let follower = chain.follower()
      return racing([{ follower.cancel() }, { chain.resolver.fulfill(round) }]) {
        chain.context.drain()
        XCTAssertTrue(follower.isCancelled && chain.end.isSettled, "round \(round)")
        XCTAssertEqual(chain.heard.count, chain.root.isFulfilled ? 0 : 1)
        XCTAssertTrue(chain.middle.isCancelled, "the chain has no consumer, so no step runs")
      }
    }
  }

  // Spec: C4.17
  func testAgainstANewConsumer() {
    race(lanes: 2, rounds: 2000) { round in
      let chain = Chain()
      let (follower, late) = (chain.follower(), Log<Promise>())
      return racing([{ follower.cancel() }, { late.append(chain.middle.then { $0 }) }]) {
        // The new child is either cancelled with the chain, or keeps the root and the middle pending.
        XCTAssertEqual(chain.root.isCancelled, chain.middle.isCancelled, "round \(round)")
        XCTAssertEqual(late.all[0].isCancelled, chain.root.isCancelled, "round \(round)")
        if chain.root.isPending {
          XCTAssertFalse(chain.middle.isCancelled)
          chain.context.drain()
          XCTAssertTrue(chain.end.isCancelled, "the end has no consumer")
          chain.finish()
          XCTAssertEqual(try late.all[0].value(), "value")
        }
      }
    }
  }
}
