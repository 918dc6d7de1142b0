// `cancelled(with:)` makes a child that is cancelled when the bag is freed (C10).

import DynamicPromise
import TestSupport
import XCTest

final class CancelBagTests: XCTestCase {
  private let context = SteppedContext()

  private final class Owner: Sendable {
    let bag = CancelBag()
    let heard = Log<Int>()
  }

  // Spec: C10.1
  func testTheChainIsCancelledWhenItsOwnerIsFreed() {
    let chain = Chain(context)
    var owner: Owner? = Owner()
    let child = chain.end.cancelled(with: owner!.bag)
    let below = child.then { $0 }
    XCTAssertTrue(child.parent === chain.end)
    chain.assertPending()
    owner = nil
    XCTAssertTrue(child.isCancelled && below.isCancelled)
    chain.assertCancelled()
  }

  // Spec: C10.1
  func testChildrenAreCancelledInTheOrderOfAddition() {
    let heard = Log<Int>()
    do {
      let bag = CancelBag()
      for number in 0..<20 {
        let promise = Promise(onCancel: { reason in
          XCTAssertTrue(reason is CancellationError)
          heard.append(number)
        })
        promise.cancelled(with: bag)
      }
    }
    XCTAssertEqual(heard.all, Array(0..<20))
  }

  // Spec: C10.2
  func testTheChildFollowsTheReceiver() throws {
    let (bag, failure) = (CancelBag(), Failure())
    XCTAssertEqual(try Promise.resolved(1).cancelled(with: bag).value(), 1)
    XCTAssertTrue(try Promise.rejected(failure).cancelled(with: bag).reason() as? Failure === failure)
    let later = Promise()
    let child = later.cancelled(with: bag)
    later.fulfill(2)
    XCTAssertEqual(try child.value(), 2)
    XCTAssertEqual(bag.count, 0)
  }

  // Spec: C10.3
  func testABagAndItsPromisesDoNotRetainEachOther() {
    let pending = Promise(on: context)
    let owner = {
      let held = Owner()
      pending.then { [weak held] _ in _ = held }.cancelled(with: held.bag)
      return WeakReference(held)
    }()
    XCTAssertNil(owner.object, "a pending promise does not retain the owner")
    let (bag, freed) = (CancelBag(), Counter())
    for _ in 0..<1000 { Promise.resolved(Canary { freed.increment() }).cancelled(with: bag) }
    XCTAssertEqual(freed.value, 1000, "the bag retains no value of a settled promise")
    XCTAssertEqual(bag.count, 0)
  }

  // Spec: C10.4
  func testABagCancelsWhenAsked() throws {
    let (bag, chain) = (CancelBag(), Chain(context))
    let child = bag.add(chain.end)
    bag.cancel()
    XCTAssertTrue(child.isCancelled)
    chain.assertCancelled()
    let later = Promise()
    bag.add(later)
    XCTAssertTrue(later.isPending, "the bag can be used again")
    bag.cancel("closed")
    XCTAssertEqual("\(try later.reason())", "cancelled: closed")
  }

  // Spec: C10.4
  func testABagInABagIsCancelledWithIt() {
    let promises = (0..<3).map { _ in Promise() }
    var outer: CancelBag? = CancelBag()
    let inner = CancelBag(in: outer)
    do { promises[0].cancelled(with: CancelBag(in: outer)) }
    XCTAssertTrue(promises[0].isCancelled, "the inner bag was freed")
    promises[1].cancelled(with: inner)
    outer!.cancel()
    XCTAssertTrue(promises[1].isCancelled)
    promises[2].cancelled(with: inner)
    outer = nil
    XCTAssertTrue(promises[2].isCancelled, "the outer bag was freed")
    for _ in 0..<100 { _ = CancelBag(in: inner) }
    XCTAssertEqual(inner.count, 0, "a bag does not collect freed bags")
  }

  // Spec: C10.4
  func testAHookMayCancelTheBagAgainOrAddPromises() {
    let (bag, later, children) = (CancelBag(), Promise(), Log<Promise>())
    let (first, resolver) = Promise.pending()
    let child = first.cancelled(with: bag)
    children.append(Promise().cancelled(with: bag))
    let inner = CancelBag(in: bag)
    resolver.onCancel { _ in
      bag.cancel("again")
      XCTAssertEqual(children.all.map(\.isCancelled), [true])
      children.append(later.cancelled(with: inner))
    }
    bag.cancel()
    XCTAssertTrue(child.isCancelled)
    XCTAssertEqual(children.all.map(\.isCancelled), [true, false], "what is added later is not cancelled")
  }

  // Spec: C4.25, K17.11
  func testTheCleanUpOfWhatABagCancelsIsAStackAndFinishedWaitsForIt() {
    let (log, bag) = (Log<String>(), CancelBag())
    let (load, resolver) = Promise.pending(on: .immediate)
    resolver.alwaysCallsBack()
    let inner = load.catch { error throws -> Any in
      log.append("inner")
      throw error
    }
    let member = inner.cancelled(with: bag)
    let follower = Promise(on: .immediate)
    follower.cancelled(with: bag).ignoreErrors()
    follower.bind(member)
    let finished = Log<Promise>()
    member.catch { _ in
      log.append("outer")
      finished.append(member.finished(on: .immediate))
    }
    bag.cancel()
    XCTAssertEqual(log.all, ["inner", "outer"])
    XCTAssertEqual(finished.all.map(\.isSettled), [false])
    XCTAssertFalse(member.finished(on: .immediate).isSettled)
    resolver.fulfill(1)
    XCTAssertTrue(finished.all.allSatisfy(\.isFulfilled))
  }

  // Spec: C10.4, L4.6
  func testNestedBagsNeedNoDeepStack() {
    var bags = [CancelBag()]
    for _ in 0..<depthBeyondTheStack { bags.append(CancelBag(in: bags.last)) }
    let last = Promise().cancelled(with: bags.last!)
    onSmallStack { [bags] in bags[0].cancel() }
    XCTAssertTrue(last.isCancelled)
    // An outer bag that is freed cancels the inner ones, so these are freed first.
    while bags.popLast() != nil {}
  }
}
