// The order of withdrawals, cancels and settlements makes no difference (C4.17).

import DynamicPromise
import XCTest

final class WithdrawalOrderTests: XCTestCase {
  // Spec: C4.13, C4.17, C5.1
  func testAWithdrawalAndACancelBesideItInBothOrders() {
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
  func testTwoWithdrawalsOnTwoThreads() {
    race(lanes: 2, rounds: 2000) { round in
      let chain = Chain()
      let follower = chain.follower()
      let beside =
        switch round % 4 {
        case 0: chain.follower()
        case 1: chain.end.then { $0 }
        case 2: chain.middle.then { $0 }
        default: Promise.all([chain.end])
        }
      return ([{ follower.cancel() }, { beside.cancel() }], { chain.assertCancelled(nil, "round \(round)") })
    }
  }

  /// Cancels a follower of `end`. The same call rejects the root, because the follower is the root's input.
  private func cancelFollower(
    besides isBeside: Bool, _ makeEnd: (Promise) -> Promise
  ) -> (end: Promise, context: SteppedContext) {
    let context = SteppedContext()
    let follower = Promise(on: context)
    let root = Promise.all([follower], on: context)
    if isBeside { root.then({ $0 }, { _ in 0 }) }
    let end = makeEnd(root)
    follower.bind(end)
    follower.cancel(Failure("stop"))
    return (end, context)
  }

  // Spec: C4.17, C4.20
  func testAnOutcomeThatTheWithdrawalCausesTakesPrecedence() throws {
    for isBeside in [false, true] {
      for depth in [1, 2, 200] {
        let (end, _) = cancelFollower(besides: isBeside) { root in
          (0..<depth).reduce(root) { promise, _ in promise.then(nil as (@Sendable (Any) throws -> Any)?) }
        }
        XCTAssertEqual((try end.reason() as? Failure)?.name, "stop")
        XCTAssertTrue(end.isRejected && !end.isCancelled, "\(isBeside), \(depth)")
      }
    }
  }

  /// The cancel waits for an error handler. A consumer that is added below and leaves in the meantime does
  /// not restart the cancel.
  // Spec: C4.11, C4.17, C2.9
  func testALaterConsumerDoesNotRestartACancelThatHasBegun() throws {
    let context = SteppedContext()
    let root = Promise(on: context)
    let start = root.then({ $0 }, { _ in Failure("of the handler") })
    let below = start.then { $0 }
    root.reject(Failure("broken"))
    below.follower().cancel(Failure("first"))
    XCTAssertTrue(start.isPending && below.isPending)
    let beside = Promise.all([start])
    below.follower().cancel(Failure("second"))
    XCTAssertTrue(below.isPending)
    context.drain()
    XCTAssertEqual((try below.reason() as? Failure)?.name, "of the handler")
    XCTAssertTrue(start.isCancelled && below.isCancelled && beside.isRejected)
  }
}
