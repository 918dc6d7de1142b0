// The outcome takes precedence if one call both settles a promise and makes it unwanted (C4.17). The
// promise's siblings make no difference.

import DynamicPromise
import XCTest

final class WithdrawalOutcomeTests: XCTestCase {
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
  func testAnOutcomeThatComesWithTheWithdrawalComesFirst() throws {
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

  /// If `isBeside` is true, the root has an earlier child with a handler in place.
  // Spec: C4.17, C4.20
  func testAlsoBehindASiblingInPlace() throws {
    for isBeside in [false, true] {
      let runs = Counter()
      let root = Promise(on: .immediate)
      let first = root.then(nil as (@Sendable (Any) throws -> Any)?)
      if isBeside { root.finally {} }
      let end = root.catch { _ in runs.increment() }
      let some = Promise.some([first.finally {}, root, end], 2, cancellingInputs: true)
      root.fulfill(1)
      XCTAssertTrue(some.isFulfilled)
      XCTAssertEqual(try end.value(), 1, "\(isBeside)")
      XCTAssertEqual(runs.value, 0)
    }
  }

  /// A child without a handler for the outcome settles before the first handler runs. A child that the first
  /// handler adds settles at once.
  // Spec: C4.17, C4.20
  func testASiblingInPlaceWithdrawsFromAnErrorHandler() throws {
    for withdraws in [false, true] {
      let runs = Counter()
      let root = Promise(on: .immediate)
      let ends = Log<Promise>()
      let leave: @Sendable () -> Void = {
        ends.append(root.catch { _ in runs.increment() })
        for end in ends.all { if withdraws { end.withdraw() } else { end.cancel() } }
      }
      root.then { _ in leave() }
      ends.append(root.catch { _ in runs.increment() })
      root.fulfill(1)
      XCTAssertEqual(try ends.all.map { try $0.value() as Int }, [1, 1], "\(withdraws)")
      XCTAssertEqual(runs.value, 0)
    }
  }

  // Spec: C4.11, C4.17
  func testAnErrorHandlerBelowThatOutcomeRunsBecauseOfTheWithdrawal() throws {
    for isBeside in [false, true] {
      for depth in [0, 1, 200] {
        let runs = Counter()
        let (end, context) = cancelFollower(besides: isBeside) { root in
          (0..<depth).reduce(root) { promise, _ in promise.then(nil as (@Sendable (Any) throws -> Any)?) }
            .catch { _ in runs.increment() }
        }
        context.drain()
        XCTAssertTrue(end.isCancelled, "\(isBeside), \(depth)")
        XCTAssertEqual(runs.value, 1)
      }
    }
  }

  /// The cancel waits for an error handler. A consumer that is added below and leaves in the meantime does
  /// not restart the cancel.
  // Spec: C4.11, C4.17, C2.9
  func testAConsumerThatComesAndLeavesBelowACancelThatHasBegun() throws {
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
