// `onCancel`, `onAbandon` and `onTermination` hooks (C6).

import DynamicPromise
import XCTest

final class HookTests: XCTestCase {
  // Spec: C6.1, C6.3, C6.5
  func testACancelHookRunsOnceOnTheCancellingStack() throws {
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

  // Spec: C6.4
  func testAHookThatIsRegisteredAfterTheCancelRunsAtOnce() throws {
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
  func testSettlingReleasesTheHook() {
    let settle: [(String, @Sendable (Promise, Resolver) -> Void)] = [
      ("fulfill", { $1.fulfill(1) }), ("reject", { $1.reject(Failure()) }),
      ("reject as cancelled", { $1.reject(CancellationError()) }),
      ("follow a settled promise", { $1.resolve(Promise.resolved(3)) }), ("cycle", { $1.resolve($0) }),
    ]
    for (name, settle) in settle {
      let (promise, resolver) = Promise.pending()
      let (ran, freed) = (Counter(), Counter())
      func register() {
        let canary = Canary { freed.increment() }
        resolver.onCancel { _ in withExtendedLifetime(canary) { ran.increment() } }
      }
      register()
      settle(promise, resolver)
      XCTAssertEqual(freed.value, 1, name)
      register()
      XCTAssertEqual(freed.value, 2, "registered late: \(name)")
      promise.cancel()
      XCTAssertEqual(ran.value, 0, name)
      XCTAssertFalse(resolver.isCancelled, name)
    }
  }

  // Spec: C6.6
  func testTheHooksOfTheInitializerRun() throws {
    let (heard, abandoned, failure) = (Log<any Error>(), Counter(), Failure())
    func make() -> Promise { Promise(onCancel: { heard.append($0) }, onAbandon: { abandoned.increment() }) }
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

  // Spec: C6.8
  func testSeveralHooksRunInTheOrderOfRegistration() {
    let (promise, resolver) = Promise.pending()
    let order = Log<Int>()
    for number in 0..<20 { resolver.onCancel { _ in order.append(number) } }
    promise.cancel()
    resolver.onCancel { _ in order.append(20) }
    XCTAssertEqual(order.all, Array(0...20))
  }

  /// Registers an `onTermination` hook, and returns the log of its calls.
  private func listen(to resolver: Resolver) -> Log<String> {
    let heard = Log<String>()
    resolver.onTermination { termination in
      switch termination {
      case .settled: heard.append("settled")
      case .cancelled(let reason): heard.append("cancelled \(reason is Failure)")
      case .abandoned: heard.append("abandoned")
      }
    }
    return heard
  }

  // Spec: C6.9
  func testOnTerminationReportsEachEndOnce() {
    let ends: [(String, (Promise, Resolver) -> Void)] = [
      ("settled", { $1.fulfill(1) }), ("settled", { $1.reject(Failure()) }),
      ("cancelled true", { promise, _ in promise.cancel(Failure()) }),
      // A hook is no consumer, so the withdrawal cancels the promise.
      ("cancelled true", { promise, _ in promise.withdraw(Failure()) }),
    ]
    for (text, end) in ends {
      let (promise, resolver) = Promise.pending(on: .immediate)
      let (heard, isInside, seen) = (listen(to: resolver), StackMark(), Log<Bool>())
      resolver.onTermination { [weak promise] _ in
        seen.append(isInside.isSet)
        seen.append(promise?.isSettled == true)
      }
      isInside.during { end(promise, resolver) }
      promise.cancel()
      XCTAssertEqual(heard.all, [text])
      XCTAssertEqual(seen.all, [true, true], "the hook runs on this stack, after the promise has settled")
      XCTAssertEqual(listen(to: resolver).all, [text], "a late hook runs at once")
    }
  }

  // Spec: C6.9
  func testOnTerminationReportsAFreedPromiseAsAbandoned() {
    for isFollower in [false, true] {
      var (promise, resolver): (Promise?, Resolver) = Promise.pending(on: .immediate)
      let heard = listen(to: resolver)
      let other = Promise(on: .immediate)
      if isFollower { resolver.resolve(other) }
      XCTAssertEqual(heard.all, [])
      XCTAssertTrue(promise!.isPending)
      promise = nil
      XCTAssertEqual(heard.all, ["abandoned"])
      XCTAssertEqual(listen(to: resolver).all, ["abandoned"], "a late hook runs at once")
      XCTAssertEqual(resolver.isAbandoned, !isFollower, "a promise that follows another is not abandoned")
      XCTAssertTrue(other.isPending)
    }
  }
}
