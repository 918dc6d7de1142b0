// Tests of chains of followers: which promises they retain, and which promises are cancelled
// (Machine/Adopting.swift).

import DynamicPromise
import XCTest

final class ForwardingTests: XCTestCase {
  // Spec: C3.4
  func testCancelReachesWhatAnUnheldIntermediateHasAdopted() {
    for early in [true, false] {
      let root = Promise(on: .immediate)
      let (end, resolver) = Promise.pending()
      let outer = Promise()
      do {
        let between = root.then { _ in end }
        if early { outer.bind(between) }
        root.fulfill(0)
        if !early { outer.bind(between) }
        XCTAssertTrue(between.parent === root)
      }
      root.cancel()
      XCTAssertTrue(outer.isCancelled && resolver.isCancelled)
    }
  }

  // Spec: C3.4
  func testCancelOfASessionReachesARequestMadeInAHandler() {
    let session = Promise(on: .immediate)
    session.fulfill("session")
    let (answer, resolver) = Promise.pending()
    @Sendable func request() -> Promise { session.then { _ in answer } }
    let outer = Promise(on: .immediate)
    let shown = outer.then { _ in request() }.then { $0 }
    outer.fulfill(0)
    XCTAssertTrue(shown.isPending)
    session.cancel()
    XCTAssertTrue(resolver.isCancelled && shown.isCancelled)
  }

  // Spec: L3.6
  func testAPromiseThatOthersFollowAndThatFollowsDoesNotKeepItsParent() {
    let outer = Promise()
    let (end, resolver) = Promise.pending()
    weak var parent: Promise?
    let between: Promise
    do {
      let made = Promise.resolved(0)
      parent = made
      between = made.thenOn(.immediate) { _ in end }
    }
    XCTAssertNotNil(parent)
    XCTAssertTrue(between.parent === parent)
    outer.bind(between)
    XCTAssertNil(parent)
    XCTAssertNil(between.parent)
    resolver.fulfill(1)
    XCTAssertTrue(outer.isFulfilled)
  }

  // Spec: L3.2
  func testLoopBelowALongLivedPromiseRunsInConstantMemory() throws {
    let rounds = 20_000
    for isInside in [true, false] {
      let alive = LiveCount()
      let session = Promise()
      session.fulfill(0)
      @Sendable func loop(_ index: Int) -> Promise {
        let canary = alive.make()
        return session.then { _ in withExtendedLifetime(canary) { index } }
          .then { _ -> Any in
            withExtendedLifetime(canary) {}
            return index == rounds ? index : loop(index + 1)
          }
      }
      let end = isInside ? loop(0) : Promise.resolved(0).then { _ in loop(0) }
      XCTAssertEqual(try end.value(), rounds)
      XCTAssertLessThan(alive.peak, 100)
    }
  }

  // Spec: C4.2, C4.9
  func testPromiseFromAThenableThatWasCancelledMeanwhileIsCancelledToo() {
    let functions = Log<DeferredThenable.Functions>()
    let (task, resolver) = Promise.pending()
    let promise = Promise.resolved(DeferredThenable(functions))
    promise.cancel()
    functions.all[0].resolve(task)
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C2.2, C2.5
  func testAsyncCleanUpOfACancelledPromiseIsNotCancelled() throws {
    let (root, gate) = (Promise(), Promise())
    let (entered, isCancelled) = (Event(), Log<Bool>())
    @Sendable func cleanUp() async {
      entered.signal()
      await withCheckedContinuation { continuation in gate.then { continuation.resume() } }
      isCancelled.append(Task.isCancelled)
    }
    let children: [Promise] = [
      root.catch { (_: any Error) async in await cleanUp() }, root.finally { await cleanUp() },
    ]
    root.cancel()
    for _ in children { entered.wait() }
    XCTAssertTrue(children.allSatisfy(\.isPending))
    gate.fulfill(0)
    for child in children { _ = try child.reason() }
    XCTAssertEqual(isCancelled.all, [false, false])
    XCTAssertTrue(children.allSatisfy(\.isCancelled))
  }
}
