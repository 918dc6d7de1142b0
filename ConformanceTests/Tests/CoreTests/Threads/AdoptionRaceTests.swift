// Threads make promises follow each other, while another thread settles, cancels or frees one of them.

import DynamicPromise
import XCTest

final class AdoptionRaceTests: XCTestCase {
  // Spec: A4.6
  func testBindAgainstSettlingOfTheOther() {
    race(lanes: 3, rounds: 1200) { round, canary in
      let ends: [Promise] = (0..<2).map { _ in Promise() }
      let (adopter, second, outcome, called) = (Promise(), Promise(), Failure(), Log<Failure>())
      for promise in [adopter, second] {
        promise.thenOn(
          .immediate,
          { value in withExtendedLifetime(canary) { called.append(value as! Failure) } },
          { reason in withExtendedLifetime(canary) { called.append(reason as! Failure) } })
      }
      let end = ends[0]
      return racing([
        { adopter.bind(end) },
        { second.bind(adopter) },
        {
          switch round % 4 {
          case 0: end.fulfill(outcome)
          case 1: end.reject(outcome)
          case 2: end.cancel(outcome)
          default:
            end.bind(ends[1])
            ends[1].cancel(outcome)
          }
        },
      ]) {
        for promise in [adopter, second, end] {
          XCTAssertTrue(promise.isSettled, "round \(round): a lost wake-up")
          XCTAssertEqual(promise.isFulfilled, round % 4 == 0)
          XCTAssertEqual(promise.isCancelled, round % 4 >= 2)
        }
        XCTAssertEqual(called.all, [outcome, outcome], "round \(round)")
      }
    }
  }

  // Spec: A4.6, C4.6
  func testAdoptionsThatMoveOn() {
    // Two threads complete the chain first -> middle -> last -> end, while a third thread cancels `first` or
    // `end`. The test releases `middle` at the same time.
    race(lanes: 3, rounds: 1500) { round, canary in
      let (outcome, first, last, end) = (Failure(), Promise(), Promise(), Promise())
      let heads = (0..<(round % 3 * 6)).map { _ in Promise() }
      let middle = Hold(Promise())
      middle.with { middle in
        first.bind(middle)
        for head in heads { head.bind(middle) }
        middle.finally { withExtendedLifetime(canary) {} }
      }
      let isForwards = round % 2 == 0
      return racing([
        {
          middle.with { $0.bind(last) }
          middle.drop()
        },
        { last.bind(end) },
        { if isForwards { first.cancel(outcome) } else { end.cancel(outcome) } },
      ]) {
        // If other promises also follow `middle`, a cancel of `first` does not cancel `middle` (C4.7).
        let isKept = isForwards && !heads.isEmpty
        if isKept { XCTAssertTrue(([last, end] + heads).allSatisfy(\.isPending), "round \(round)") }
        if isKept { end.cancel(outcome) }
        assertCancelled([first, last, end] + heads, outcome, "round \(round), \(isForwards)")
      }
    }
  }

  // Spec: A4.6, A2.1
  func testMutualBind() {
    race(lanes: 3, rounds: 1200) { round, canary in
      let promises = (0..<3).map { _ in Promise() }
      let (outsider, reasons) = (Promise(), Log<any Error>())
      for promise in promises {
        promise.catchOn(.immediate) { reason in withExtendedLifetime(canary) { reasons.append(reason) } }
      }
      // Either all three promises form a cycle, or the third promise follows a cycle of two.
      let isTriangle = round % 2 == 0
      return racing([
        { promises[0].bind(promises[1]) },
        { promises[1].resolve(isTriangle ? promises[2] : promises[0]) },
        {
          if isTriangle { promises[2].bind(promises[0]) } else { promises[2].resolve(promises[1]) }
          outsider.bind(promises[2])
        },
      ]) {
        for promise in promises + [outsider] {
          guard case .failure(PromiseError.cycle)? = promise.result, !promise.isCancelled else {
            return XCTFail("round \(round): \(promise)")
          }
        }
        XCTAssertEqual(reasons.count, 3)
      }
    }
  }

  // Spec: A4.6, A2.1, C4.6
  func testMutualBindAgainstCancel() {
    race(lanes: 3, rounds: 800) { round in
      let (first, second, failure) = (Promise(), Promise(), Failure())
      return racing([{ first.bind(second) }, { second.bind(first) }, { first.cancel(failure) }]) {
        for promise in [first, second] {
          switch promise.result {
          case .failure(let reason as Failure)?: XCTAssertTrue(reason === failure && promise.isCancelled)
          case .failure(PromiseError.cycle)?: XCTAssertFalse(promise.isCancelled)
          default: XCTFail("round \(round): \(promise)")
          }
        }
      }
    }
  }

  // Spec: A4.6, 2.3.3.3.3
  func testThenableAgainstCancelAndRelease() {
    race(lanes: 3, rounds: 800) { round, canary in
      let functions = Log<DeferredThenable.Functions>()
      let promise = Promise.resolved(DeferredThenable(functions))
      let called = Counter()
      let child = promise.thenOn(
        .immediate, { _ in withExtendedLifetime(canary) { called.increment() } },
        { _ in withExtendedLifetime(canary) { called.increment() } })
      let (resolve, reject) = functions.all[0]
      let other = Promise()
      return racing([
        { if round % 2 == 0 { resolve("value") } else { resolve(other) } },
        { reject("reason") }, { promise.cancel() },
      ]) {
        XCTAssertTrue(promise.isSettled, "round \(round): the cancel was lost")
        XCTAssertTrue(child.isSettled)
        other.fulfill(1)
        // A cancel just after the settlement withdraws a handler that has not started.
        let isWithdrawn = !promise.isCancelled && child.isCancelled && called.value == 0
        XCTAssertEqual(called.value, isWithdrawn ? 0 : 1, "round \(round)")
      }
    }
  }

  /// One thread releases a follower in a ring of followers, while another thread closes the ring.
  // Spec: A2.1
  func testARingIsClosedWhileAMemberIsFreed() {
    race(lanes: 2, rounds: 8_000) { _ in
      let first = Promise(on: .immediate)
      let last = Promise(on: .immediate)
      let middle = Hold(Promise(on: .immediate))
      middle.with {
        first.bind($0)
        $0.bind(last)
      }
      return racing([{ middle.drop() }, { last.bind(first) }]) {
        XCTAssertTrue(first.isRejected && last.isRejected, "the ring is detected")
      }
    }
  }
}
