// Several threads settle promises and register handlers at the same time (A4.6). Other files test races of
// cancellation, adoption and release.

import Dispatch
import DynamicPromise
import XCTest

final class RaceTests: XCTestCase {
  // Spec: A3.5
  func testOneOfManySettlementsWins() {
    race(lanes: 4, rounds: 500) { round in
      let (promise, resolver) = Promise.pending()
      let outcomes = (0..<4).map { Failure("\($0)") }
      let called = Log<Failure>()
      let child = promise.thenOn(
        .immediate, { called.append($0 as! Failure) }, { called.append($0 as! Failure) })
      let seen = Log<Failure>()
      let look: @Sendable () -> Void = {
        switch promise.result {
        case .success(let value)?: seen.append(value as! Failure)
        case .failure(let reason)?: seen.append(reason as! Failure)
        case nil: XCTFail("still pending after this thread's settling call")
        }
      }
      let settlements: [RaceTrack.Part] = [
        { promise.fulfill(outcomes[0]) }, { resolver.reject(outcomes[1]) }, { promise.resolve(outcomes[2]) },
        { if round % 2 == 0 { promise.cancel(outcomes[3]) } else { resolver.resolve(nil, outcomes[3]) } },
      ]
      let parts = settlements.map { settle -> RaceTrack.Part in
        return {
          settle()
          look()
        }
      }
      return racing(parts) {
        look()
        XCTAssertEqual(seen.count, 5)
        XCTAssertTrue(seen.all.allSatisfy { $0 === seen.all[0] }, "round \(round)")
        XCTAssertEqual(promise.isCancelled, round % 2 == 0 && seen.all[0] === outcomes[3])
        // A cancel just after the settlement withdraws a handler that has not started.
        let isWithdrawn = child.isCancelled && !promise.isCancelled && called.count == 0
        XCTAssertEqual(called.all, isWithdrawn ? [] : [seen.all[0]], "round \(round)")
        if round % 2 == 1 { XCTAssertFalse(isWithdrawn) }
      }
    }
  }

  // Spec: A3.5, A2.11
  func testOneOfManyResolutionsWins() {
    race(lanes: 4, rounds: 500) { _ in
      let (promise, resolver) = Promise.pending()
      let others = [Promise(), Promise()]
      let functions = Log<DeferredThenable.Functions>()
      let called = Log<String>()
      promise.thenOn(.immediate) { (text: String) in called.append(text) }
      return racing([
        { promise.resolve(others[0]) }, { promise.bind(others[1]) },
        { promise.resolve(DeferredThenable(functions)) }, { resolver.fulfill("value") },
      ]) {
        // Only the first resolution counts, in whatever order the other promises settle.
        let wasSettled = promise.isSettled
        others[0].fulfill("first")
        others[1].fulfill("second")
        for (resolve, _) in functions.all { resolve("thenable") }
        XCTAssertTrue(promise.isFulfilled)
        XCTAssertEqual(called.all, [try promise.value()])
        XCTAssertEqual(wasSettled, try promise.value() == "value")
        XCTAssertLessThanOrEqual(functions.count, 1)
      }
    }
  }

  // Spec: A4.4, A4.6, A1.4
  func testThenAgainstResolve() {
    let queue = DispatchQueue(label: "serial")
    race(lanes: 3, rounds: 900) { round in
      let (promise, resolver) = Promise.pending()
      let (scheduled, ran, children) = (Log<Int>(), Log<Int>(), Log<Promise>())
      let register: @Sendable (Range<Int>) -> Void = { numbers in
        for number in numbers {
          let context = Observing(context: queue) { scheduled.append(number) }
          children.append(
            promise.thenOn(context, { _ in ran.append(number) }, { _ in ran.append(number) }))
        }
      }
      register(0..<4)
      return racing([
        {
          switch round % 3 {
          case 0: resolver.fulfill(round)
          case 1: resolver.reject(Failure())
          default: resolver.resolve(Promise.resolved(round))
          }
        },
        { register(4..<10) },
        { register(10..<16) },
      ]) {
        for child in children.all { _ = try child.value() as Any }
        queue.sync {}
        XCTAssertEqual(ran.all, scheduled.all, "round \(round): a serial queue keeps the order")
        XCTAssertEqual(ran.all.sorted(), Array(0..<16), "round \(round): each handler runs once")
        XCTAssertEqual(ran.all.prefix(4), [0, 1, 2, 3])
        XCTAssertEqual(ran.all.filter { 4..<10 ~= $0 }, Array(4..<10), "round \(round)")
        XCTAssertEqual(ran.all.filter { $0 >= 10 }, Array(10..<16), "round \(round)")
      }
    }
  }

  // Spec: A4.6
  func testThenAgainstResolveOnConcurrentContextsAndInPlace() {
    race(lanes: 3, rounds: 600) { round in
      let isInPlace = round % 2 == 0
      let promise = isInPlace ? Promise(on: .immediate) : Promise()
      let (ran, children) = (Counter(), Log<Promise>())
      // Children without a handler for the outcome settle on the settling stack. Their children settle later.
      let register: @Sendable () -> Void = {
        for _ in 0..<4 {
          children.append(promise.then({ _ in ran.increment() }, { _ in ran.increment() }))
          children.append(promise.catch { _ in XCTFail() }.then { _ in ran.increment() })
        }
      }
      register()
      return racing([{ promise.fulfill(round) }, register, register]) {
        for child in children.all { _ = try child.value() as Any }
        XCTAssertEqual(ran.value, 24)
      }
    }
  }

  // Spec: A4.6
  func testWaitAgainstResolve() {
    race(lanes: 3, rounds: 500) { round in
      let (promise, seen) = (Promise(), Log<Int>())
      let parts: [RaceTrack.Part] = [
        { promise.fulfill(round) },
        { if case .success(let value) = promise.outcome() { seen.append(value as! Int) } },
        {
          // A wait that times out at once must not consume the wake-up of another waiter.
          _ = try? promise.get(timeout: 0)
          if case .success(let value) = promise.outcome() { seen.append(value as! Int) }
        },
      ]
      return (parts, { XCTAssertEqual(seen.all, [round, round]) })
    }
  }

  // Spec: A4.6, C2.8
  func testThenAgainstCancel() {
    let queue = DispatchQueue(label: "serial")
    race(lanes: 3, rounds: 600) { round in
      let (promise, resolver) = Promise.pending(on: queue)
      let failure = Failure()
      let (rejected, finished, heard) = (Counter(), Counter(), Counter())
      let children = Log<Promise>()
      let register: @Sendable () -> Void = {
        for _ in 0..<3 {
          children.append(promise.then { _ in XCTFail("a promise cancelled by request has no value") })
          children.append(promise.catch { _ in rejected.increment() })
          children.append(promise.finally { finished.increment() }.catch { _ in 0 })
          resolver.onCancel { _ in heard.increment() }
        }
      }
      register()
      return racing([{ promise.cancel(failure) }, register, register]) {
        for child in children.all {
          XCTAssertTrue(try child.reason() as? Failure === failure)
          XCTAssertTrue(child.isCancelled, "round \(round)")
        }
        XCTAssertEqual([rejected, finished, heard].map(\.value), [9, 9, 9])
      }
    }
  }

  // Spec: A4.6, C3.7
  func testThenOnASettledPromiseAgainstCancel() {
    let queue = DispatchQueue(label: "serial")
    race(lanes: 3, rounds: 600) { round in
      let promise = Promise.resolved(round, on: queue)
      let (failure, ran) = (Failure(), Log<Int>())
      let children = Log<(number: Int, promise: Promise)>()
      let register: @Sendable (Range<Int>) -> Void = { numbers in
        for number in numbers {
          children.append((number, promise.then { _ in ran.append(number) }))
        }
      }
      register(0..<3)
      return racing([{ promise.cancel(failure) }, { register(3..<6) }, { register(6..<9) }]) {
        // Each child is either cancelled or fulfilled. No child stays pending, and no handler runs twice.
        for (number, child) in children.all {
          switch child.outcome() {
          case .success: XCTAssertEqual(ran.all.filter { $0 == number }.count, 1)
          case .failure(let reason):
            XCTAssertTrue(reason as? Failure === failure)
            XCTAssertTrue(child.isCancelled)
          }
        }
        queue.sync {}
        XCTAssertEqual(Set(ran.all).count, ran.count)
        XCTAssertTrue(promise.isFulfilled)
        let late = promise.then { _ in "late" }
        XCTAssertEqual(try late.value(), "late")
      }
    }
  }
}
