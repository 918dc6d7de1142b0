// Who keeps a promise (L1), resolvers (L2), what settling releases (L3).

import DynamicPromise
import XCTest

final class LifetimeTests: XCTestCase {
  // Spec: L1.2
  func testAdopterKeepsTheAdoptedPromise() throws {
    let abandoned = Counter()
    let resolver: Resolver
    let adopters = [Promise(), Promise()]
    do {
      let adopted: Promise
      (adopted, resolver) = Promise.pending()
      resolver.onAbandon { abandoned.increment() }
      let between = Promise()
      between.resolve(adopted)
      adopters[0].bind(between)
      adopters[1].resolve(StructThenable { resolve, _ in resolve(adopted) })
    }
    XCTAssertEqual(abandoned.value, 0)
    resolver.fulfill("value")
    for adopter in adopters { XCTAssertEqual(try adopter.value(), "value") }
    XCTAssertEqual(abandoned.value, 0)
  }

  // Spec: L1.2, L1.3
  func testReleasedAdopterAbandonsTheAdoptedPromise() {
    let abandoned = Counter()
    let resolver: Resolver
    do {
      let root = Promise(on: .immediate)
      let adopted: Promise
      (adopted, resolver) = Promise.pending()
      resolver.onAbandon { abandoned.increment() }
      let child = root.then { _ in adopted }
      root.fulfill(0)
      XCTAssertTrue(child.isPending)
      // Cancelled, it withdraws from the adopted one; so that one is cancelled, not abandoned.
      child.cancel()
      XCTAssertTrue(resolver.isCancelled)
    }
    XCTAssertEqual(abandoned.value, 0)
  }

  // Spec: L1.3
  func testUnheldPromiseIsAbandoned() {
    let abandoned = Counter()
    let resolver: Resolver
    do {
      let promise: Promise
      (promise, resolver) = Promise.pending()
      resolver.onAbandon { abandoned.increment() }
      XCTAssertFalse(resolver.isAbandoned)
      withExtendedLifetime(promise) { XCTAssertEqual(abandoned.value, 0) }
    }
    XCTAssertEqual(abandoned.value, 1)
    XCTAssertTrue(resolver.isAbandoned)
    resolver.onAbandon { abandoned.increment() }
    XCTAssertEqual(abandoned.value, 2)
    do { _ = Promise(onCancel: nil, onAbandon: { abandoned.increment() }) }
    XCTAssertEqual(abandoned.value, 3)
    // A child that is freed releases its parent.
    do {
      let promise = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
      promise.then { _ in }.then { _ in }.cancel()
      promise.cancel()
    }
    XCTAssertEqual(abandoned.value, 3)
  }

  // Spec: L1.4
  func testSettledPromiseIsNotAbandoned() {
    let settlings: [(Promise) -> Void] = [
      { $0.fulfill(0) }, { $0.reject("no") }, { $0.cancel() }, { $0.resolve(Promise.resolved(1)) },
      { $0.resolve(Promise()) },
    ]
    for (number, settle) in settlings.enumerated() {
      let (abandoned, freed) = (Counter(), Counter())
      do {
        let (promise, resolver) = Promise.pending()
        let canary = UncheckedValue(Canary { freed.increment() })
        register(canary.value, resolver, abandoned)
        XCTAssertEqual(freed.value, 0)
        settle(promise)
        withExtendedLifetime((promise, resolver)) {}
      }
      XCTAssertEqual(abandoned.value, 0, "settling \(number)")
      XCTAssertEqual(freed.value, 1, "settling \(number)")
    }
  }

  private func register(_ canary: Canary, _ resolver: Resolver, _ abandoned: Counter) {
    resolver.onAbandon { withExtendedLifetime(canary) { abandoned.increment() } }
  }

  // Spec: L1.4, C6.5
  func testSettlingFreesTheHandlersOfTheTask() {
    for resolveOnly in [false, true] {
      let freed = Counter()
      let (promise, resolver) = Promise.pending()
      func register() {
        let canary = Canary { freed.increment() }
        resolver.onAbandon { withExtendedLifetime(canary) {} }
        if !resolveOnly { resolver.onCancel { _ in withExtendedLifetime(canary) {} } }
      }
      register()
      XCTAssertEqual(freed.value, 0)
      if resolveOnly { promise.resolve(Promise()) } else { promise.fulfill(0) }
      XCTAssertEqual(freed.value, 1)
      register()
      XCTAssertEqual(freed.value, 2, "registered late")
      promise.cancel()
      withExtendedLifetime(resolver) {}
    }
  }

  // Spec: L1.6
  func testBarePromiseWithHandlersStays() throws {
    let freed = Counter()
    weak var bare: Promise?
    func make() {
      let promise = Promise()
      let canary = Canary { freed.increment() }
      promise.then { _ in withExtendedLifetime(canary) {} }
      bare = promise
    }
    make()
    XCTAssertEqual(freed.value, 0)
    do { try XCTUnwrap(bare).cancel() }
    XCTAssertEqual(freed.value, 1)
    XCTAssertNil(bare)
  }

  // Spec: L1.9
  func testAChildWithoutAHandlerKeepsItsParentUntilItSettles() {
    let bag = CancelBag()
    let makers: [@Sendable (Promise) -> Promise] = [
      { $0.then(nil) }, { $0.shielded() }, { $0.delay(1) }, { $0.cancelled(with: bag) },
    ]
    for make in makers {
      let abandoned = Counter()
      weak var kept: Promise?
      let resolver: Resolver
      do {
        let promise: Promise
        (promise, resolver) = Promise.pending(on: .immediate)
        resolver.onAbandon { abandoned.increment() }
        _ = make(promise)
        kept = promise
      }
      XCTAssertNotNil(kept)
      XCTAssertEqual(abandoned.value, 0)
      resolver.reject(CancellationError())
      XCTAssertNil(kept)
    }
  }

  // Spec: L2.1
  func testResolverDoesNotKeepItsPromise() {
    weak var gone: Promise?
    let resolver: Resolver
    do {
      let promise: Promise
      (promise, resolver) = Promise.pending()
      gone = promise
      XCTAssertNotNil(gone)
    }
    XCTAssertNil(gone)
    withExtendedLifetime(resolver) {}
  }

  // Spec: L2.2
  func testLostResolverBreaksThePromise() throws {
    let promises = [Promise.pending().promise, Promise { _ in }, Promise(on: SteppedContext(), { _ in })]
    let copies = Log<Resolver>()
    let shared = Promise { resolver in
      copies.append(resolver)
      copies.append(resolver)
    }
    for promise in promises {
      guard case PromiseError.broken = try promise.reason() else { return XCTFail("\(promise)") }
      XCTAssertFalse(promise.isCancelled)
    }
    XCTAssertTrue(shared.isPending)
    copies.all[1].fulfill("value")
    XCTAssertEqual(try shared.value(), "value")
  }

  // Spec: L2.4
  func testResolvedWithPendingPromiseIsNotBroken() throws {
    let other = Promise()
    let functions = Log<@Sendable (Any) -> Void>()
    let promises = [
      Promise { $0.resolve(other) }, Promise { $0.resolve(Optional(other) as Any) },
      Promise { $0.resolve(StructThenable { resolve, _ in functions.append(resolve) }) },
      Promise {
        $0.resolve(other)
        throw Failure()
      },
    ]
    for promise in promises { XCTAssertTrue(promise.isPending) }
    other.fulfill("value")
    functions.all[0]("value")
    for promise in promises { XCTAssertEqual(try promise.value(), "value") }
  }

  // Spec: L2.5
  func testThrowInTheBodyRejectsWithItsError() throws {
    let failure = Failure()
    let kept = Log<Resolver>()
    let promises = [
      Promise { _ in throw failure },
      Promise {
        kept.append($0)
        throw failure
      },
    ]
    for promise in promises { XCTAssertTrue(try promise.reason() as? Failure === failure) }
  }

  // Spec: L2.6
  func testResolverMayOutliveItsPromise() {
    let calls = Counter()
    for settled in [false, true] {
      let resolver: Resolver
      do {
        let promise: Promise
        (promise, resolver) = Promise.pending()
        if settled { promise.fulfill(0) }
      }
      resolver.fulfill(1)
      resolver.reject("no")
      resolver.resolve(Promise.resolved(1))
      resolver.resolve(2, nil)
      resolver.onCancel { _ in calls.increment() }
      XCTAssertFalse(resolver.isCancelled)
      XCTAssertEqual(resolver.isAbandoned, !settled)
    }
    XCTAssertEqual(calls.value, 0)
  }

  // Spec: L2.7
  func testThenableThatDropsItsFunctionsBreaksThePromise() throws {
    struct Forgetful: Thenable {
      var then: ThenMethod? { { _, _ in } }
    }
    guard case PromiseError.broken = try Promise.resolved(Forgetful()).reason() else { return XCTFail() }

    // Kept, they keep the promise waiting; when the second function is released, too, it is broken.
    final class Keeper: Thenable, @unchecked Sendable {
      var resolve: (@Sendable (Any) -> Void)?
      var reject: (@Sendable (Any) -> Void)?
      var then: ThenMethod? {
        { resolve, reject in
          self.resolve = resolve
          self.reject = reject
        }
      }
    }
    let keeper = Keeper()
    let promise = Promise.resolved(keeper)
    keeper.resolve = nil
    XCTAssertTrue(promise.isPending)
    keeper.reject = nil
    guard case PromiseError.broken = try promise.reason() else { return XCTFail() }
  }
}
