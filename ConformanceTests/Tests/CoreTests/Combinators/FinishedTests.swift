// `finished()` waits for a promise and everything below it (K17.1 to K17.7).

import DynamicPromise
import XCTest

final class FinishedTests: LossTestCase {
  // Spec: K17.1
  func testFinishedWaitsForThePromiseAndEverythingBelow() {
    let context = SteppedContext()
    let (other, last) = (Promise(), Promise())
    let root = Promise(on: context)
    let step = root.then { _ in other }
    let sides = [step.then { _ in }, step.catch { _ in }, root.finally {}]
    let leaf = sides[0].then { _ in last }
    let whole = root.finished(on: .immediate)
    root.fulfill(1)
    XCTAssertTrue(whole.isPending, "handlers are scheduled")
    context.drain()
    XCTAssertTrue(whole.isPending, "a child follows another promise")
    other.fulfill(2)
    context.drain()
    XCTAssertTrue(whole.isPending && leaf.isPending, "a grandchild follows another promise")
    last.fulfill(3)
    XCTAssertTrue(leaf.isFulfilled && whole.isFulfilled)
    XCTAssertTrue(whole.root === whole, "the result is a root")
  }

  // Spec: K17.2
  func testFinishedWaitsForPromisesThatAreAddedMeanwhile() {
    let root = Promise(on: .immediate)
    let whole = root.finished()
    let (one, two) = (Promise(), Promise())
    let first = root.then { _ in one }
    root.fulfill(0)
    // The second child is added below a settled promise that the search has already visited.
    let second = root.then { _ in two }
    one.fulfill(1)
    XCTAssertTrue(first.isFulfilled && whole.isPending)
    let third = first.then { _ in two }
    two.fulfill(2)
    XCTAssertTrue(second.isFulfilled && third.isFulfilled && whole.isFulfilled)
    let fourth = root.then { _ in Promise() }
    XCTAssertTrue(fourth.isPending && whole.isFulfilled, "a late promise is not awaited")
    fourth.cancel()
  }

  // Spec: K17.3
  func testFinishedIsFulfilledWhateverTheOutcomes() {
    expect(1, "the rejection is unhandled") { failure, _ in
      let root = Promise(on: .immediate)
      root.then { _ in throw failure }
      let whole = root.finished()
      root.fulfill(0)
      XCTAssertTrue(whole.isFulfilled)
    }
    let rejected = Promise.rejected(Failure())
    XCTAssertTrue(rejected.finished().isFulfilled)
    rejected.catch { _ in }
  }

  // Spec: K17.4
  func testACancelOfTheResultDoesNotAffectTheTree() throws {
    let root = Promise(on: .immediate)
    let child = root.then { $0 }.cancelsWhenUnwanted()
    var whole: Promise? = root.finished()
    whole!.cancel()
    XCTAssertTrue(root.isPending && child.isPending)
    whole = root.finished()
    whole = nil
    root.fulfill(1)
    XCTAssertEqual(try child.value(), 1)
  }

  // Spec: K17.4
  func testFinishedIsNotAConsumer() {
    let root = Promise()
    root.cancelsWhenUnwanted()
    let child = root.then { $0 }
    let whole = root.finished()
    child.cancel()
    XCTAssertTrue(root.isCancelled && whole.isFulfilled, "the child was the only consumer")
  }

  // Spec: K17.5
  func testFinishedDoesNotWaitForAFreedPromise() {
    var root: Promise? = Promise(on: .immediate)
    let whole = root!.finished()
    XCTAssertTrue(whole.isPending)
    root = nil
    XCTAssertTrue(whole.isFulfilled)
    var (promise, resolver): (Promise?, Resolver?) = Promise.pending(on: .immediate)
    let other = promise!.then { $0 }.root.finished()
    promise = nil
    XCTAssertTrue(other.isPending && resolver != nil)
    resolver = nil
    XCTAssertTrue(other.isFulfilled, "a broken promise ends the wait")
  }

  // Spec: K17.5
  func testFinishedRetainsNothing() {
    let (census, root) = (Census(), Promise(on: .immediate))
    do {
      let child = census.add(root.then { $0 })
      for index in 0..<20 {
        let whole = census.add((index % 2 == 0 ? root : child).finished())
        if index % 4 < 2 { whole.cancel() }
      }
      XCTAssertEqual(census.alive, 1, "results that nothing retains are freed")
      for _ in 0..<20 { census.add(root.finished().then { _ in }) }
    }
    root.fulfill(1)
    XCTAssertEqual(census.alive, 0)
  }

  // Spec: K17.6
  func testTheContextOfTheResult() throws {
    let context = SteppedContext()
    let done = Promise.resolved(1, on: context)
    let inherited = done.finished().then { _ in 1 }
    let own = done.finished(on: .immediate).then { _ in 1 }
    XCTAssertTrue(own.isFulfilled && inherited.isPending)
    context.drain()
    XCTAssertTrue(inherited.isFulfilled)
    XCTAssertTrue(try done.finished().outcome().get() is Void)
    XCTAssertTrue(done.finished().isFulfilled)
  }

  // Spec: K17.7
  func testFinishedOnSeveralThreads() {
    race(lanes: 3, rounds: 2000) { round in
      let root = Promise()
      let (made, others) = (Log<Promise>(), Log<Promise>())
      let (first, second) = (root.then { $0 }, root.catch { $0 })
      for promise in [first, second] { made.append(promise) }
      let whole = root.finished()
      let parts: [RaceTrack.Part] = [
        { if round % 3 == 0 { root.cancel() } else { root.fulfill(0) } },
        {
          // The parent may have settled before this child is added.
          made.append(first.then { $0 })
          others.append(root.finished())
        },
        { if round % 2 == 0 { first.finished().cancel() } else { others.append(second.finished()) } },
      ]
      let check = {
        _ = whole.outcome()
        for other in others.all { _ = other.outcome() }
        // This second wait includes all promises that were added in the meantime.
        _ = root.finished().outcome()
        XCTAssertTrue(made.all.allSatisfy(\.isSettled))
      }
      return (parts, check)
    }
  }
}
