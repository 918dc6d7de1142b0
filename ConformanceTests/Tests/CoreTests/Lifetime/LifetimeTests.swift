// What retains a promise, and what a resolver does not (L1, L2).

import DynamicPromise
import TestSupport
import XCTest

final class LifetimeTests: XCTestCase {
  // Spec: L1.2
  func testAFollowerRetainsThePromiseThatItFollows() throws {
    let adopters = [Promise(), Promise()]
    let adopted = Unretained { adopted in
      adopters[0].bind(Promise.resolved(adopted))
      adopters[1].resolve(StructThenable { resolve, _ in resolve(adopted) })
    }
    XCTAssertEqual(adopted.abandonments, 0)
    adopted.resolver.fulfill("value")
    for adopter in adopters { XCTAssertEqual(try adopter.value(), "value") }
    XCTAssertEqual(adopted.abandonments, 0)
  }

  // Spec: L1.3, L2.1, R4.9
  func testAnUnreferencedPromiseIsAbandoned() {
    let abandoned = Counter()
    let resolver = {
      let (promise, resolver) = Promise.pending()
      resolver.onAbandon { abandoned.increment() }
      return withExtendedLifetime(promise) { resolver }
    }()
    XCTAssertTrue(resolver.isAbandoned)
    XCTAssertEqual(abandoned.value, 1)
    resolver.onAbandon { abandoned.increment() }
    XCTAssertEqual(abandoned.value, 2)
    _ = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
    XCTAssertEqual(abandoned.value, 3)
  }

  // Spec: L1.4
  func testASettledPromiseIsNotAbandoned() {
    for settle: (Promise, Resolver) -> Void in [
      { $1.fulfill(0) }, { $1.reject("no") }, { promise, _ in promise.cancel() }, { $1.resolve(Promise()) },
    ] {
      let (abandoned, hooks) = (Counter(), LiveCount())
      do {
        let (promise, resolver) = Promise.pending()
        let canary = hooks.make()
        resolver.onAbandon { withExtendedLifetime(canary) { abandoned.increment() } }
        settle(promise, resolver)
        withExtendedLifetime((promise, resolver)) {}
      }
      XCTAssertEqual([hooks.count, abandoned.value], [0, 0])
    }
  }

  // Spec: L1.6
  func testAPendingPromiseWithHandlersIsNotFreed() throws {
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
  func testAChildWithoutAHandlerRetainsItsParent() {
    let bag = CancelBag()
    let makers: [@Sendable (Promise) -> Promise] = [
      { $0.then(nil) }, { $0.shielded() }, { $0.delay(1) }, { $0.cancelled(with: bag) },
    ]
    for make in makers {
      nonisolated(unsafe) var kept: WeakReference<Promise>?
      let parent = Unretained { promise in
        _ = make(promise)
        kept = WeakReference(promise)
      }
      XCTAssertNotNil(kept?.object)
      XCTAssertEqual(parent.abandonments, 0)
      parent.resolver.reject(CancellationError())
      XCTAssertNil(kept?.object)
    }
  }

  // Spec: L2.2
  func testReleasingTheLastResolverBreaksThePromise() throws {
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
  func testAResolvedPromiseIsNotBroken() throws {
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
  func testAnErrorOfTheBodyRejectsThePromise() throws {
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

  // Spec: L2.6, H11.2
  func testAResolverMayOutliveItsPromise() {
    let calls = Counter()
    for settled in [false, true] {
      let resolver: Resolver
      do {
        let made = Promise.pending()
        resolver = made.resolver
        if settled { resolver.fulfill(0) }
      }
      let wins = [
        resolver.fulfill(1), resolver.reject("no"), resolver.resolve(Promise.resolved(1)),
        resolver.resolve(Promise()), resolver.resolve(2, nil),
      ]
      XCTAssertEqual(wins, [false, false, false, false, false])
      resolver.onCancel { _ in calls.increment() }
      XCTAssertFalse(resolver.isCancelled)
      XCTAssertEqual(resolver.isAbandoned, !settled)
    }
    XCTAssertEqual(calls.value, 0)
  }

  // Spec: L1.8, H6.5
  func testADiscardedAsynchronousHandlerRunsToItsEnd() {
    let (gate, saved) = (Promise(), Log<Bool>())
    let (begun, done) = (Event(), Event())
    do {
      _ = Promise.resolved(1).then { _ async in
        begun.signal()
        _ = try? await gate.value
        saved.append(!Task.isCancelled)
        done.signal()
      }
    }
    begun.wait("the handler")
    gate.fulfill(())
    done.wait("the end of the handler")
    XCTAssertEqual(saved.all, [true])
  }

  // Spec: L1.1, R3.4
  func testADiscardedChainIsNotAbandoned() throws {
    let (abandoned, upload, uploaded) = (Counter(), Log<Resolver>(), Counter())
    let make: @Sendable () -> (Promise, Resolver) = {
      let (promise, resolver) = Promise.pending(on: .immediate)
      resolver.onAbandon { abandoned.increment() }
      return (promise, resolver)
    }
    let login = {
      let (login, resolver) = make()
      login.then { _ -> Promise in
        let (promise, resolver) = make()
        upload.append(resolver)
        promise.then { _ in uploaded.increment() }
        return promise
      }
      return resolver
    }()
    login.fulfill("token")
    upload.all[0].fulfill("done")
    XCTAssertEqual([uploaded.value, abandoned.value], [1, 0])
  }
}
