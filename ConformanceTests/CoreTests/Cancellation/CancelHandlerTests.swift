// How a task is notified of a cancel (C6).

import Dispatch
import DynamicPromise
import XCTest

final class CancelHandlerTests: XCTestCase {
  // Spec: C6.1, C6.3
  func testRunsOnceOnTheCancellingStack() throws {
    let (promise, resolver) = Promise.pending()
    let failure = Failure()
    let heard = Log<any Error>()
    let isInside = StackMark()
    let seen = Log<Bool>()
    resolver.onCancel { [weak promise] reason in
      heard.append(reason)
      seen.append(isInside.isSet)
      seen.append(promise?.isCancelled == true)
      seen.append(promise?.isRejected == true)
      seen.append(resolver.isCancelled)
      seen.append(resolver.isAbandoned == false)
    }
    XCTAssertFalse(resolver.isCancelled)
    isInside.during { promise.cancel(failure) }
    XCTAssertEqual(seen.all.prefix(4), [true, true, true, true])
    promise.cancel(Failure("again"))
    promise.fulfill(1)
    XCTAssertEqual(heard.count, 1)
    XCTAssertTrue(heard.all[0] as? Failure === failure)
  }

  // Spec: C6.1
  func testHearsOfACancellationFromAbove() throws {
    let root = Promise(on: .immediate)
    let (inner, resolver) = Promise.pending()
    let child = root.then { _ in 1 }.then { _ in inner }
    root.fulfill(0)
    XCTAssertTrue(child.isPending)
    let failure = Failure()
    let heard = Log<any Error>()
    let isInside = StackMark()
    resolver.onCancel { reason in
      XCTAssertTrue(isInside.isSet)
      heard.append(reason)
    }
    isInside.during { root.cancel(failure) }
    XCTAssertEqual(heard.count, 1)
    XCTAssertTrue(heard.all.first as? Failure === failure)
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C6.4
  func testRunsAtOnceWhenRegisteredLate() throws {
    let failure = Failure()
    let heard = Log<any Error>()
    let isInside = StackMark()
    let resolver: Resolver
    do {
      let promise: Promise
      (promise, resolver) = Promise.pending()
      promise.cancel(failure)
      isInside.during {
        resolver.onCancel { reason in
          XCTAssertTrue(isInside.isSet)
          heard.append(reason)
        }
      }
      XCTAssertEqual(heard.count, 1)
      withExtendedLifetime(promise) {}
    }
    // The promise was freed, but the resolver knows that it was cancelled.
    resolver.onCancel { heard.append($0) }
    XCTAssertEqual(heard.count, 2)
    XCTAssertTrue(heard.all.allSatisfy { $0 as? Failure === failure })
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C6.4, C7.2
  func testLateRegistrationOnAnOtherwiseSettledPromiseIsDropped() {
    let settle: [@Sendable (Promise) -> Void] = [
      { $0.fulfill(1) }, { $0.reject(Failure()) }, { $0.reject(CancellationError()) },
      {
        $0.fulfill(1)
        $0.cancel()
      },
    ]
    for settle in settle {
      let (promise, resolver) = Promise.pending()
      settle(promise)
      let ran = Counter()
      let freed = Counter()
      do {
        let canary = Canary { freed.increment() }
        resolver.onCancel { _ in withExtendedLifetime(canary) { ran.increment() } }
      }
      XCTAssertEqual(freed.value, 1)
      XCTAssertEqual(ran.value, 0)
      XCTAssertFalse(resolver.isCancelled)
    }
  }

  // Spec: C6.5
  func testIsDroppedOnSettling() {
    let settle: [(String, @Sendable (Promise) -> Void)] = [
      ("fulfil", { $0.fulfill(1) }),
      ("reject", { $0.reject(Failure()) }),
      ("reject as cancelled", { $0.reject(CancellationError()) }),
      ("resolve", { $0.resolve(2) }),
      ("adopt a settled one", { $0.resolve(Promise.resolved(3)) }),
      (
        "adopt a pending one",
        {
          let other = Promise()
          $0.bind(other)
          other.fulfill(4)
        }
      ),
      ("cycle", { $0.resolve($0) }),
    ]
    for (name, settle) in settle {
      let (promise, resolver) = Promise.pending()
      let ran = Counter()
      let freed = Counter()
      do {
        let canary = Canary { freed.increment() }
        resolver.onCancel { _ in withExtendedLifetime(canary) { ran.increment() } }
      }
      XCTAssertEqual(freed.value, 0, name)
      settle(promise)
      XCTAssertEqual(freed.value, 1, name)
      promise.cancel()
      XCTAssertEqual(ran.value, 0, name)
      XCTAssertFalse(resolver.isCancelled, name)
    }
  }

  // Spec: C6.5
  func testCapturesAreFreedOnceItHasRun() {
    let (promise, resolver) = Promise.pending()
    let freed = Counter()
    do {
      let canary = Canary { freed.increment() }
      resolver.onCancel { _ in withExtendedLifetime(canary) {} }
    }
    promise.cancel()
    XCTAssertEqual(freed.value, 1)
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C6.6
  func testInitHandlersHearOfCancelAndOfAbandon() throws {
    let heard = Log<any Error>()
    let abandoned = Counter()
    let failure = Failure()
    do {
      let promise = Promise(onCancel: { heard.append($0) }, onAbandon: { abandoned.increment() })
      promise.cancel(failure)
      promise.cancel(failure)
    }
    XCTAssertEqual(heard.count, 1)
    XCTAssertTrue(heard.all.first as? Failure === failure)
    XCTAssertEqual(abandoned.value, 0, "cancelled, not abandoned")

    do {
      let promise = Promise(onCancel: { heard.append($0) }, onAbandon: { abandoned.increment() })
      XCTAssertTrue(promise.isPending)
    }
    XCTAssertEqual(abandoned.value, 1)
    XCTAssertEqual(heard.count, 1)

    do {
      let promise = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
      promise.fulfill(1)
    }
    XCTAssertEqual(abandoned.value, 1)

    do {
      let promise = Promise(onCancel: { heard.append($0) })
      promise.fulfill(1)
      promise.cancel()
    }
    XCTAssertEqual(heard.count, 1)
  }

  // Spec: C6.7
  func testHearsOfACancelledAdopter() throws {
    let (adopted, resolver) = Promise.pending()
    let adopter = Promise()
    let other = Promise()
    let failure = Failure()
    let heard = Log<any Error>()
    let order = Log<String>()
    resolver.onCancel { reason in
      heard.append(reason)
      order.append("adopter cancelled: \(adopter.isCancelled), adopted cancelled: \(adopted.isCancelled)")
    }
    adopter.bind(adopted)
    other.bind(adopter)
    adopter.cancel(failure)
    XCTAssertEqual(heard.count, 1)
    XCTAssertTrue(heard.all.first as? Failure === failure)
    XCTAssertEqual(order.all, ["adopter cancelled: true, adopted cancelled: true"])
    XCTAssertTrue(resolver.isCancelled)
    XCTAssertTrue(other.isCancelled)
  }

  // Spec: C6.7, C4.4
  func testAdopterHearsOfACancelledAdoptedPromise() throws {
    let adopted = Promise()
    let heard = Log<any Error>()
    let adopter = Promise(onCancel: { heard.append($0) })
    adopter.bind(adopted)
    let failure = Failure()
    adopted.cancel(failure)
    XCTAssertEqual(heard.count, 1)
    XCTAssertTrue(heard.all.first as? Failure === failure)
  }

  // Spec: C6.7
  func testAnAdopterPastTheHandlersPromiseIsHeardAsWell() throws {
    // The promise with the handler is in the middle, and only its resolver refers to it.
    let end = Promise()
    let first = Promise()
    let heard = Log<any Error>()
    do {
      let middle = Promise(onCancel: { heard.append($0) })
      first.bind(middle)
      middle.bind(end)
    }
    let failure = Failure()
    first.cancel(failure)
    XCTAssertTrue(end.isCancelled)
    XCTAssertEqual(heard.count, 1, "its task is cancelled, though all that followed it has moved on")
    XCTAssertTrue(heard.all.first as? Failure === failure)
  }

  // Spec: C6.8
  func testSeveralRunInOrder() {
    let (promise, resolver) = Promise.pending()
    let order = Log<Int>()
    for number in 0..<20 { resolver.onCancel { _ in order.append(number) } }
    promise.cancel()
    resolver.onCancel { _ in order.append(20) }
    XCTAssertEqual(order.all, Array(0...20))
  }
}
