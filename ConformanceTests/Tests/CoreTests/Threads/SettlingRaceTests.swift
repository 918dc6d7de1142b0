// Settling, registering, adopting and cancelling on several threads (A3.5, A4.4, A4.6).

import Dispatch
import DynamicPromise
import XCTest

final class SettlingRaceTests: XCTestCase {
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
        { resolver.fulfill(outcomes[0]) }, { resolver.reject(outcomes[1]) },
        { resolver.resolve(outcomes[2]) },
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

  // Spec: A4.4
  func testAHandlerThatIsRegisteredInsideExecuteIsNotOvertaken() {
    struct Watched: ExecutionContext {
      let whenCalled: @Sendable () -> Void
      func execute(_ job: @escaping @Sendable () -> Void) { whenCalled() }
    }
    let (promise, log, ended) = (Promise(on: DispatchQueue(label: "serial")), Log<Int>(), Event())
    let context = Watched {
      promise.then { _ in log.append(1) }
      let registered = Event()
      Thread.detachNewThread {
        promise.then { _ in log.append(2) }.then { _ in ended.signal() }
        registered.signal()
      }
      registered.wait("the other registration")
    }
    promise.thenOn(.immediate) { _ in
      Promise.resolved(0).thenOn(context) { _ in }.ignoreErrors()
      ended.wait("the last handler, which waits for none in place")
    }
    promise.fulfill(1)
    XCTAssertEqual(log.all, [1, 2])
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

  // Spec: A4.6, A2.1
  func testThreadsThatCloseACycle() {
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

  // Spec: A4.6, C9.1, C9.2, C9.3, C9.4
  func testCancelOfAChildAgainstResolveOfItsParent() {
    let queue = DispatchQueue(label: "serial")
    race(lanes: 2, rounds: 800) { round, canary in
      let context = SteppedContext()
      let parent = round % 2 == 0 ? Promise(on: context) : Promise(on: queue)
      let ran = Log<Int>()
      let children = (0..<4).map { number in
        parent.then { _ in withExtendedLifetime(canary) { ran.append(number) } }
      }
      let finished = Counter()
      let finally = parent.finally { withExtendedLifetime(canary) { finished.increment() } }
      return racing([
        {
          children[1].cancel()
          children[2].cancel()
          finally.cancel()
        },
        {
          parent.fulfill(0)
          context.drain()
        },
      ]) {
        context.drain()
        queue.sync {}
        for number in [0, 3] {
          XCTAssertTrue(children[number].isFulfilled, "round \(round)")
          XCTAssertTrue(ran.all.contains(number))
        }
        for number in [1, 2] where !ran.all.contains(number) {
          XCTAssertTrue(children[number].isCancelled, "round \(round)")
        }
        XCTAssertEqual(ran.all, Array(Set(ran.all)).sorted(), "handlers run in order, each once")
        XCTAssertEqual(finished.value, 1, "round \(round): the finally closure still runs once")
      }
    }
  }
}
