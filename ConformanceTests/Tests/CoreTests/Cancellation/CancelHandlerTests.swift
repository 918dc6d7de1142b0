// Cancel hooks notify a task of a cancel (C6).

import DynamicPromise
import XCTest

final class CancelHandlerTests: XCTestCase {
  // Spec: C6.1, C6.3, C6.5
  func testRunsOnceOnTheCancellingStack() throws {
    let (promise, resolver) = Promise.pending()
    let (failure, heard, seen, isInside) = (Failure(), Log<any Error>(), Log<[Bool?]>(), StackMark())
    let freed = Counter()
    resolver.onCancel { [weak promise, canary = Canary { freed.increment() }] reason in
      use(canary)
      heard.append(reason)
      seen.append([isInside.isSet, promise?.isCancelled, promise?.isRejected])
      seen.append([resolver.isCancelled, !resolver.isAbandoned])
    }
    XCTAssertFalse(resolver.isCancelled)
    isInside.during { promise.cancel(failure) }
    XCTAssertEqual(freed.value, 1, "a hook that has run releases its captures")
    XCTAssertEqual(seen.all, [[true, true, true], [true, true]])
    promise.cancel(Failure("again"))
    promise.fulfill(1)
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure])
  }

  // Spec: C6.1, C3.4, R4.8
  func testHearsOfACancellationFromAbove() throws {
    let root = Promise(on: .immediate)
    let (inner, resolver) = Promise.pending()
    let child = root.then { _ in 1 }.then { _ in inner }
    root.fulfill(0)
    XCTAssertTrue(child.isPending)
    let (failure, heard, isInside) = (Failure(), Log<any Error>(), StackMark())
    resolver.onCancel { reason in
      XCTAssertTrue(isInside.isSet)
      heard.append(reason)
    }
    isInside.during { root.cancel(failure) }
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure])
    XCTAssertTrue(resolver.isCancelled)
    assertCancelled([child, inner], failure)
  }

  // Spec: C6.4
  func testRunsAtOnceWhenRegisteredLate() throws {
    let (failure, heard, isInside) = (Failure(), Log<any Error>(), StackMark())
    var (promise, resolver): (Promise?, Resolver) = Promise.pending()
    promise?.cancel(failure)
    for _ in 0..<2 {
      isInside.during {
        resolver.onCancel { reason in
          XCTAssertTrue(isInside.isSet)
          heard.append(reason)
        }
      }
      // The resolver still reports the cancel after the promise was freed.
      promise = nil
    }
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure, failure])
    XCTAssertTrue(resolver.isCancelled)
  }

  // Spec: C6.4, C6.5, C7.2
  func testIsDroppedOnSettling() {
    let settle: [(String, @Sendable (Promise) -> Void)] = [
      ("fulfill", { $0.fulfill(1) }),
      ("reject", { $0.reject(Failure()) }),
      ("reject as cancelled", { $0.reject(CancellationError()) }),
      ("resolve", { $0.resolve(2) }),
      ("adopt a settled promise", { $0.resolve(Promise.resolved(3)) }),
      (
        "adopt a pending promise",
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
      let (ran, freed) = (Counter(), Counter())
      func register() {
        let canary = Canary { freed.increment() }
        resolver.onCancel { _ in withExtendedLifetime(canary) { ran.increment() } }
      }
      register()
      XCTAssertEqual(freed.value, 0, name)
      settle(promise)
      XCTAssertEqual(freed.value, 1, name)
      register()
      XCTAssertEqual(freed.value, 2, "registered late: \(name)")
      promise.cancel()
      register()
      XCTAssertEqual(freed.value, 3, "registered after a late cancel: \(name)")
      XCTAssertEqual(ran.value, 0, name)
      XCTAssertFalse(resolver.isCancelled, name)
    }
  }

  // Spec: C6.6
  func testInitHandlersHearOfCancelAndOfAbandon() throws {
    let (heard, abandoned, failure) = (Log<any Error>(), Counter(), Failure())
    func make() -> Promise {
      Promise(onCancel: { heard.append($0) }, onAbandon: { abandoned.increment() })
    }
    do {
      let promise = make()
      promise.cancel(failure)
      promise.cancel(failure)
    }
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure])
    XCTAssertEqual(abandoned.value, 0, "a cancelled promise is not abandoned")
    XCTAssertTrue(make().isPending)
    XCTAssertEqual([heard.count, abandoned.value], [1, 1])

    Promise(onCancel: nil, onAbandon: { abandoned.increment() }).fulfill(1)
    Promise(onCancel: { heard.append($0) }).fulfilled().cancel()
    XCTAssertEqual([heard.count, abandoned.value], [1, 1])
  }

  // Spec: C6.7
  func testHearsOfACancelledAdopter() throws {
    let (adopted, resolver) = Promise.pending()
    let adopter = adopted.follower()
    let other = adopter.follower()
    let (failure, heard, states) = (Failure(), Log<any Error>(), Log<[Bool]>())
    resolver.onCancel { reason in
      heard.append(reason)
      states.append([adopter.isCancelled, adopted.isCancelled])
    }
    adopter.cancel(failure)
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure])
    XCTAssertEqual(states.all, [[true, true]])
    XCTAssertTrue(resolver.isCancelled && other.isCancelled)
  }

  // Spec: C6.7
  func testAnAdopterPastTheHandlersPromiseIsHeardAsWell() throws {
    // Only `middle` has the hook, and no variable refers to `middle` when the cancel starts.
    let (end, first, heard) = (Promise(), Promise(), Log<any Error>())
    do {
      let middle = Promise(onCancel: { heard.append($0) })
      first.bind(middle)
      middle.bind(end)
    }
    let failure = Failure()
    first.cancel(failure)
    XCTAssertTrue(end.isCancelled)
    XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure], "nothing but the chain retains `middle`")
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
