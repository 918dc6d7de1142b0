// Adopters that move on past an intermediate promise: what is kept, what is reached (Machine/Adopting.swift).

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
      }
      root.cancel()
      XCTAssertTrue(outer.isCancelled)
      XCTAssertTrue(resolver.isCancelled)
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
    XCTAssertTrue(resolver.isCancelled)
    XCTAssertTrue(shown.isCancelled)
  }

  // Spec: C3.4
  func testCancelThroughAParentThatIsHeld() {
    let outer = Promise()
    let (end, resolver) = Promise.pending()
    let parent = Promise.resolved(0)
    do {
      let between = parent.thenOn(.immediate) { _ in end }
      outer.bind(between)
      XCTAssertTrue(between.parent === parent)
    }
    parent.cancel()
    XCTAssertTrue(outer.isCancelled)
    XCTAssertTrue(resolver.isCancelled)
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
    XCTAssertTrue(between.parent === parent)
    XCTAssertNotNil(parent)
    outer.bind(between)
    XCTAssertNil(parent)
    XCTAssertNil(between.parent)
    resolver.fulfill(1)
    XCTAssertTrue(outer.isFulfilled)
  }

  // Spec: L3.2
  func testLoopBelowALongLivedPromiseRunsInConstantMemory() throws {
    #if DEBUG
      let rounds = 20_000
    #else
      let rounds = 200_000
    #endif
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
    final class Late: Thenable, @unchecked Sendable {
      var resolve: (@Sendable (Any) -> Void)?
      var then: ThenMethod? { { resolve, _ in self.resolve = resolve } }
    }
    let late = Late()
    let (task, resolver) = Promise.pending()
    let promise = Promise.resolved(late)
    promise.cancel()
    late.resolve?(task)
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C2.2, C2.5
  func testAsyncCleanUpOfACancelledPromiseIsNotCancelled() throws {
    let cleaned = Log<Bool>()
    let goOn = Event()
    let entered = Event()
    let root = Promise()
    let (gate, gateResolver) = Promise.pending()
    let child = root.catch { (_: any Error) async in
      entered.signal()
      _ = await withCheckedContinuation { continuation in
        gate.then { _ in continuation.resume(returning: ()) }
      }
      cleaned.append(Task.isCancelled)
    }
    let last = root.finally { () async in
      entered.signal()
      _ = await withCheckedContinuation { continuation in
        gate.then { _ in continuation.resume(returning: ()) }
      }
      cleaned.append(Task.isCancelled)
      goOn.signal()
    }
    root.cancel()
    entered.wait()
    entered.wait()
    XCTAssertTrue(child.isPending)
    XCTAssertTrue(last.isPending)
    gateResolver.fulfill(0)
    goOn.wait()
    _ = try child.reason()
    _ = try last.reason()
    XCTAssertEqual(cleaned.all, [false, false])
    XCTAssertTrue(child.isCancelled)
    XCTAssertTrue(last.isCancelled)
  }
}
