// A cancel races with calls that settle. The cancel takes full effect, or comes too late.

import Dispatch
import DynamicPromise
import XCTest

final class CancelRaceTests: XCTestCase {
  // Spec: A4.6
  func testCancelAgainstResolve() {
    let queue = DispatchQueue(label: "serial")
    race(lanes: 2, rounds: 800) { round in
      let (promise, resolver) = Promise.pending(on: queue)
      let (failure, called, heard) = (Failure(), Log<String>(), Counter())
      resolver.onCancel { _ in heard.increment() }
      let child = promise.then({ _ in called.append("value") }, { _ in called.append("reason") })
      let below = child.then({ _ in () }, { _ in called.append("below") })
      let finally = promise.finally { called.append("finally") }
      return racing([
        { promise.cancel(failure) },
        { if round % 2 == 0 { resolver.fulfill(1) } else { resolver.reject(Failure("rejected")) } },
      ]) {
        for settled in [child, below, finally] { _ = settled.outcome() }
        queue.sync {}
        XCTAssertEqual(heard.value, promise.isCancelled ? 1 : 0)
        XCTAssertEqual(called.all.filter { $0 == "finally" }.count, 1, "round \(round)")
        let handlers = called.all.filter { $0 == "value" || $0 == "reason" }
        XCTAssertLessThanOrEqual(handlers.count, 1)
        if promise.isCancelled {
          XCTAssertTrue(try promise.reason() as? Failure === failure)
          XCTAssertEqual(handlers, ["reason"])
          XCTAssertEqual(called.all.filter { $0 == "below" }.count, 1, "round \(round)")
          XCTAssertTrue(child.isCancelled && below.isCancelled && finally.isCancelled)
        } else {
          // The promise settled first. Children whose handlers have not returned are cancelled.
          XCTAssertEqual(promise.isFulfilled, round % 2 == 0)
          if handlers.isEmpty { XCTAssertTrue(child.isCancelled) }
          if child.isRejected { XCTAssertTrue(try child.reason() as? Failure === failure) }
        }
      }
    }
  }

  // Spec: A4.6, C4.8
  func testCancelAgainstBindOfThePromise() {
    race(lanes: 2, rounds: 800) { round in
      let heard = Counter()
      let other = Promise(onCancel: { _ in heard.increment() })
      let (promise, failure) = (Promise(), Failure())
      let beside = other.catch { _ in 1 }
      return racing([
        { promise.cancel(failure) },
        { if round % 2 == 0 { promise.bind(other) } else { promise.resolve(other) } },
      ]) {
        _ = beside.outcome()
        assertCancelled([promise, other, beside], failure, "round \(round): whichever call came first")
        XCTAssertEqual(heard.value, 1)
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

  // Spec: A4.6, C3.2, C3.3, C3.4
  func testCancelOfTheRootAgainstAChainThatRuns() {
    // The cancel must also cancel the pending end of the chain. Meanwhile the levels above the end settle,
    // and some of them are freed.
    race(lanes: 2, rounds: 1500) { round in
      let context = SteppedContext()
      let (root, resolver) = Promise.pending(on: context)
      let (other, returned) = (Promise(), Counter())
      let levels = round % 5
      var level = root
      var held: [Promise] = []
      for number in 0..<levels {
        level = level.then { _ in number }
        if round & (32 << number) != 0 { held.append(level) }
      }
      let leaf = level.then { _ -> Promise in
        returned.increment()
        return other
      }
      let below = leaf.then { _ in 1 }
      level = root
      resolver.fulfill(0)
      for _ in 0..<(round / 5 % (levels + 1)) { context.step() }
      let failure = Failure()
      let keep = held
      return racing([{ root.cancel(failure) }, { context.drain() }]) {
        context.drain()
        assertCancelled([leaf, below], nil, "round \(round)")
        XCTAssertEqual(
          other.isCancelled, returned.value == 1, "round \(round): an adopted promise is cancelled, too")
        XCTAssertTrue(root.isFulfilled)
        withExtendedLifetime(keep) {}
      }
    }
  }

  // Spec: A4.6, C4.4
  func testTwoCancellationsOfOneTree() {
    // Threads cancel the root, the followed promise and its follower at the same time. Each promise is
    // cancelled once, with one of the reasons.
    race(lanes: 3, rounds: 800) { round in
      let failures = [Failure("root"), Failure("adopted"), Failure("child")]
      let (heard, caught) = (Counter(), Counter())
      let adopted = Promise(onCancel: { _ in heard.increment() })
      let root = Promise(on: .immediate)
      let child = root.then { _ in 1 }
      let adopter = child.then { _ in adopted }
      let below = adopter.catch { _ in caught.increment() }
      root.fulfill(0)
      return racing([
        { root.cancel(failures[0]) }, { adopted.cancel(failures[1]) }, { adopter.cancel(failures[2]) },
      ]) {
        for cancelled in [adopted, adopter, below] {
          XCTAssertTrue(cancelled.isCancelled, "round \(round)")
          let reason = try cancelled.reason()
          XCTAssertTrue(failures.contains { $0 === reason as? Failure })
        }
        XCTAssertEqual(heard.value, 1, "round \(round)")
        XCTAssertLessThanOrEqual(caught.value, 1)
      }
    }
  }
}
