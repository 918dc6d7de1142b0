// Swift tasks against settling and cancelling (T1.5 to T1.7, T2.7, T3.6, H6.6).

import DynamicPromise
import XCTest

private actor Desk {}

final class TaskRaceTests: XCTestCase {
  // Spec: T2.7
  func testTheEndOfATaskAgainstCancelAndRelease() {
    let (begun, ended) = (Counter(), Counter())
    race(lanes: 3, rounds: 900) { round, canary in
      let inner = Promise()
      let promise = Hold(
        Promise {
          defer { withExtendedLifetime(canary) {} }
          begun.increment()
          defer { ended.increment() }
          return try await inner.value
        })
      let observed = Counter()
      var child: Promise?
      let isHeld = round % 2 == 0
      if isHeld {
        promise.with { child = $0.then({ _ in observed.increment() }, { _ in observed.increment() }) }
      }
      return racing([
        { inner.fulfill(round) },
        { if round % 3 != 0 { promise.with { $0.cancel("enough") } } },
        { if !isHeld { promise.drop() } },
      ]) { [child] in
        guard let child else { return }
        _ = child.outcome()
        // A cancel just after the settlement withdraws a handler that has not started (C3.2, C9.1). A handler
        // that has started may increment the counter at this moment, so the counter is read once.
        let count = observed.value
        XCTAssertTrue(count == 1 || child.isCancelled && count == 0)
        promise.with { held in
          switch held.outcome() {
          case .success(let value): XCTAssertEqual(value as? Int, round)
          case .failure(let reason): XCTAssertEqual("\(reason)", "cancelled: enough")
          }
        }
      }
    }
    XCTAssertEqual(begun.value, ended.value, "every task that began has ended")
  }

  // Spec: H6.6, X3.14
  func testAsynchronousHandlersAgainstCancel() {
    let (begun, ended) = (Counter(), Counter())
    let desk = Desk()
    race(lanes: 3, rounds: 1200) { round, canary in
      let (root, inner) = (Promise(), Promise())
      let work: @Sendable () async throws -> Int = {
        defer { withExtendedLifetime(canary) {} }
        begun.increment()
        defer { ended.increment() }
        return try await inner.value(as: Int.self)
      }
      let child =
        switch round % 4 {
        case 0: root.then { _ in try await work() }
        case 1: root.thenOn(desk) { _, _ in try await work() }
        case 2: root.catch { _ in try await work() }
        default: root.catchOn(desk) { _, _ in try await work() }
        }
      let isRejected = round % 4 > 1
      let observed = Counter()
      let below = child.then({ _ in observed.increment() }, { _ in observed.increment() })
      return racing([
        { _ = isRejected ? root.reject(Failure()) : root.fulfill(0) }, { inner.fulfill(round) },
        { if round % 5 != 3 { child.cancel("enough") } },
      ]) {
        switch child.outcome() {
        case .success(let value): XCTAssertEqual(value as? Int, round)
        case .failure(let reason): XCTAssertEqual("\(reason)", "cancelled: enough")
        }
        _ = below.outcome()
        // A cancel just after the settlement withdraws a handler that has not started (C3.2, C9.1). A handler
        // that has started may increment the counter at this moment, so the counter is read once.
        let count = observed.value
        XCTAssertTrue(count == 1 || below.isCancelled && count == 0)
        XCTAssertEqual(inner.isFulfilled, true, "an awaited promise is not cancelled")
      }
    }
    XCTAssertEqual(begun.value, ended.value, "every handler that began has ended")
  }
}
