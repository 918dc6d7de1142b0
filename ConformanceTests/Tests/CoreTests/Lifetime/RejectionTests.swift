// Observed and unobserved rejections (L5.1 to L5.3).

import DynamicPromise
import XCTest

final class RejectionTests: XCTestCase {
  // Spec: L5.1
  func testANewRejectionIsUnobserved() {
    let context = SteppedContext()
    let cycle = Promise()
    cycle.resolve(cycle)
    let all = [
      Promise.rejected(Failure()), Promise { $0.reject("text") }, Promise { _ in throw Failure() },
      Promise.resolved(Failure()), context.settled(1).then { _ in throw Failure() }, cycle,
      Promise.resolved(StructThenable { _, reject in reject(Failure()) }), Promise().cancelled(),
    ]
    context.drain()
    for promise in all {
      XCTAssertTrue(promise.isRejected)
      XCTAssertFalse(promise.isRejectionObserved)
      // Reading the state does not observe the reason.
      _ = (promise.isSettled, promise.isPending, promise.isFulfilled, promise.isCancelled)
      _ = (promise.parent, promise.root === promise)
      XCTAssertFalse(promise.isRejectionObserved)
    }
  }

  /// Expects each way to observe the rejection, whether it begins before or after the rejection. Passes the
  /// promise that a way returns to `check`.
  private func assertObserved(
    _ ways: [(SteppedContext, Promise) -> Promise], line: UInt = #line, _ check: (Promise) -> Void
  ) {
    for (number, observe) in ways.enumerated() {
      for isEarly in [true, false] {
        let context = SteppedContext()
        let promise = Promise(on: context)
        if !isEarly { promise.reject(Failure()) }
        XCTAssertFalse(promise.isRejectionObserved, "way \(number)", line: line)
        let observer = observe(context, promise)
        if isEarly {
          context.drain()
          promise.reject(Failure())
        }
        context.drain()
        XCTAssertTrue(promise.isRejectionObserved, "way \(number), early: \(isEarly)", line: line)
        check(observer)
      }
    }
  }

  // Spec: L5.2
  func testARejectionHandlerObserves() {
    assertObserved([
      { $1.catch { _ in 1 } }, { $1.then({ _ in 1 }, { _ in 2 }) }, { $1.finally {} },
      { $1.catch { (_: Failure) in 1 } },
    ]) { XCTAssertTrue($0.isSettled) }
  }

  // Spec: L5.2
  func testPassingARejectionOnObserves() {
    for isEarly in [true, false] {
      let promise = Promise()
      if !isEarly { promise.reject(Failure()) }
      let child = promise.then { _ in 1 }
      let grandchild = child.then { _ in 2 }
      if isEarly { promise.reject(Failure()) }
      XCTAssertTrue(promise.isRejectionObserved, "the rejection is passed on to the child")
      XCTAssertTrue(child.isRejectionObserved)
      XCTAssertTrue(grandchild.isRejected)
      XCTAssertFalse(grandchild.isRejectionObserved)
    }
  }

  // Spec: L5.2
  func testReadingTheResultObserves() {
    let read = Promise.rejected(Failure())
    XCTAssertNotNil(read.result)
    XCTAssertTrue(read.isRejectionObserved)

    let got = Promise.rejected(Failure())
    XCTAssertThrowsError(try got.get(timeout: patience))
    XCTAssertTrue(got.isRejectionObserved)

    // Reading a pending promise observes nothing.
    let pending = Promise()
    XCTAssertNil(pending.result)
    pending.reject(Failure())
    XCTAssertFalse(pending.isRejectionObserved)
  }

  // Spec: L5.3
  func testAnObservedRejectionStaysObserved() {
    let observers: [(String, @Sendable (Promise) -> Void)] = [
      ("a handler that ran", { $0.catchOn(.immediate) { _ in 1 } }),
      ("a discarded child", { $0.then { _ in 1 } }),
      ("a reader", { _ = $0.result }),
    ]
    for (name, observe) in observers {
      for isEarly in [true, false] where !(isEarly && name == "a reader") {
        let promise = Promise()
        if isEarly { observe(promise) }
        promise.reject(Failure())
        if !isEarly { observe(promise) }
        XCTAssertTrue(promise.isRejectionObserved, name)
        promise.reject(Failure("another"))
        promise.cancel()
        XCTAssertTrue(promise.isRejectionObserved, name)
      }
    }
  }

  // Spec: L5.2
  func testAnObserverThatHasLeftBeforeTheRejectionHasNotObservedIt() async {
    let observers: [(String, @Sendable (Promise) -> Void)] = [
      ("a cancelled child", { $0.catch { _ in 1 }.cancel() }),
      ("a discarded adopter", { Promise().bind($0) }),
      ("a wait that has timed out", { _ = try? $0.get(timeout: 0.001) }),
      ("a wait without time", { _ = try? $0.get(timeout: 0) }),
    ]
    for (name, observe) in observers {
      let promise = Promise()
      observe(promise)
      promise.reject(Failure())
      XCTAssertFalse(promise.isRejectionObserved, name)
    }
    let awaited = Promise()
    let task = Task { _ = try await awaited.value }
    task.cancel()
    _ = await task.result
    awaited.reject(Failure())
    XCTAssertFalse(awaited.isRejectionObserved, "a cancelled `await`")
  }

  /// A timeout passes no later rejection on, and is expected not to.
  // Spec: L5.5
  func testTheLoserOfATimeoutIsObserved() {
    let promise = Promise()
    let limited = promise.timeout(0)
    _ = limited.outcome()
    promise.reject(Failure())
    XCTAssertTrue(limited.isRejected && promise.isRejectionObserved)
  }
}
