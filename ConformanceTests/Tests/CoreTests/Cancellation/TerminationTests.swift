// An `onTermination` hook runs once when its promise settles, is cancelled or is freed (C6.9).

import DynamicPromise
import XCTest

final class TerminationTests: XCTestCase {
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
  func testEachEndIsReportedOnce() {
    let ends: [(String, (Promise) -> Void)] = [
      ("settled", { $0.fulfill(1) }),
      ("settled", { $0.reject(Failure()) }),
      ("settled", { $0.resolve(Promise.resolved(1)) }),
      ("settled", { $0.reject(CancellationError()) }),
      ("cancelled true", { $0.cancel(Failure()) }),
      // A hook is no consumer, so the withdrawal cancels the promise.
      ("cancelled true", { $0.withdraw(Failure()) }),
    ]
    for (text, end) in ends {
      var (promise, resolver): (Promise?, Resolver) = Promise.pending(on: .immediate)
      let heard = listen(to: resolver)
      XCTAssertEqual(heard.all, [])
      let isInside = StackMark()
      let seen = Log<Bool>()
      resolver.onTermination { [weak promise] _ in
        seen.append(isInside.isSet)
        seen.append(promise?.isSettled == true)
      }
      isInside.during { end(promise!) }
      promise?.cancel()
      XCTAssertEqual(heard.all, [text])
      XCTAssertEqual(seen.all, [true, true], "the hook runs on this stack, after the promise has settled")
      XCTAssertEqual(listen(to: resolver).all, [text], "a late hook runs at once")
      promise = nil
      XCTAssertEqual(listen(to: resolver).all, [text], "a late hook runs even if the promise was freed")
    }
  }

  // Spec: C6.9
  func testAFreedPromiseIsAbandoned() {
    for isFollower in [false, true] {
      var (promise, resolver): (Promise?, Resolver) = Promise.pending(on: .immediate)
      let heard = listen(to: resolver)
      let other = Promise(on: .immediate)
      if isFollower { promise?.bind(other) }
      XCTAssertEqual(heard.all, [])
      promise = nil
      XCTAssertEqual(heard.all, ["abandoned"])
      XCTAssertEqual(listen(to: resolver).all, ["abandoned"], "a late hook runs at once")
      XCTAssertEqual(resolver.isAbandoned, !isFollower, "a promise that follows another is not abandoned")
      XCTAssertTrue(other.isPending)
    }
  }

  // Spec: C6.9
  func testALostResolverRejectsAndTells() {
    var (promise, resolver): (Promise, Resolver?) = Promise.pending(on: .immediate)
    let heard = listen(to: resolver!)
    resolver = nil
    XCTAssertTrue(promise.isRejected)
    XCTAssertEqual(heard.all, ["settled"])
    promise = Promise()
  }

  // Spec: C6.9
  func testItKeepsNothing() {
    var (promise, resolver): (Promise?, Resolver) = Promise.pending(on: .immediate)
    let freed = Counter()
    resolver.onTermination { [canary = Canary { freed.increment() }] _ in use(canary) }
    XCTAssertEqual(freed.value, 0)
    promise?.fulfill(1)
    XCTAssertEqual(freed.value, 1, "a hook that has run releases its captures")
    let reference = WeakReference(promise!)
    promise = nil
    XCTAssertNil(reference.object)
  }
}
