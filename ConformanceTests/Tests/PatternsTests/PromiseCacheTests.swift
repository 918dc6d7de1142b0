import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class PromiseCacheTests: XCTestCase {
  private typealias Cache = PromiseCache<String>

  func testCallersShareALoad() throws {
    let (cache, source) = (Cache(), Source())
    let one = cache.promise(for: "a") { source.next() }
    let two = cache.promise(for: "a") { source.next() }
    let other = cache.promise(for: "b") { source.next() }
    XCTAssertFalse(one === two)
    XCTAssertEqual(source.count, 2)
    source.all[0].fulfill(1)
    XCTAssertEqual(try one.result?.get() as? Int, 1)
    XCTAssertEqual(try two.result?.get() as? Int, 1)
    XCTAssertTrue(other.isPending)
    XCTAssertEqual(try cache.promise(for: "a") { source.next() }.result?.get() as? Int, 1)
    XCTAssertEqual(source.count, 2)
    XCTAssertEqual(cache.count, 2)
  }

  func testWhatALoadMayReturn() throws {
    let cache = Cache()
    XCTAssertEqual(try cache.promise(for: "value") { 7 }.result?.get() as? Int, 7)
    XCTAssertEqual(try cache.promise(for: "value") { 8 }.result?.get() as? Int, 7)
    XCTAssertNil(try value(of: cache.promise(for: "nil") { Int?.none }, as: Int?.self))
    XCTAssertEqual(try value(of: cache.promise(for: "async") { () async throws -> Int in 9 }), 9)
    XCTAssertEqual(cache.count, 3)
    let thrown = cache.promise(for: "throws") { () throws -> Promise in throw NumberedError(1) }
    let error = cache.promise(for: "error") { NumberedError(2) }
    XCTAssertEqual(try reason(of: thrown), NumberedError(1))
    XCTAssertEqual(try reason(of: error), NumberedError(2))
    XCTAssertEqual(cache.count, 3)
  }

  func testANewLoadWaitsForTheWorkOfACancelledOne() throws {
    let (cache, loads, resolvers) = (Cache(on: .immediate), Recorded(0), Recorded<[Resolver]>([]))
    let load: @Sendable () -> Promise = {
      loads.increment()
      let (promise, resolver) = Promise.callingBack(on: .immediate)
      resolvers.append(resolver)
      return promise
    }
    cache.promise(for: "a", load).cancel()
    let gone = cache.promise(for: "a", load)
    let second = cache.promise(for: "a", load)
    let other = cache.promise(for: "b", load)
    XCTAssertEqual(loads.value, 2, "`b` does not wait for the first load, which still runs")
    gone.cancel()
    resolvers.change { $0.removeFirst() }.fulfill("too late")
    XCTAssertEqual(loads.value, 3)
    resolvers.change { $0.removeLast() }.fulfill("again")
    XCTAssertEqual(try second.result?.get() as? String, "again")
    XCTAssertTrue(other.isPending)
  }

  func testAfterRemoveALoadWaitsNoLonger() throws {
    for remove: (Cache) -> Void in [{ $0.remove("a") }, { $0.removeAll() }] {
      let cache = Cache(on: .immediate)
      let (promise, resolver) = Promise.callingBack(on: .immediate)
      cache.promise(for: "a") { promise }.cancel()
      let next = cache.promise(for: "a") { 7 }
      XCTAssertTrue(next.isPending)
      remove(cache)
      XCTAssertEqual(try next.result?.get() as? Int, 7)
      resolver.fulfill(1)
    }
  }

  func testANewLoadWaitsForTheWorkOfOneThatHasFailed() throws {
    let (cache, loads) = (Cache(on: .immediate), Recorded(0))
    let (work, resolver) = Promise.callingBack(on: .immediate)
    let first = cache.promise(for: "a") { work }
    work.cancel()
    XCTAssertTrue(first.isRejected)
    let second = cache.promise(for: "a") { loads.increment() }
    XCTAssertEqual(loads.value, 0)
    resolver.fulfill(1)
    XCTAssertEqual(try second.result?.get() as? Int, 1)
  }

  func testALoadMayUseTheCache() throws {
    let cache = Cache()
    let outer = cache.promise(for: "outer") {
      cache.promise(for: "inner") {
        cache.remove("outer")
        return 1
      }
    }
    XCTAssertEqual(try outer.result?.get() as? Int, 1)
    XCTAssertEqual(cache.count, 1)
  }

  func testFailuresAreNotKept() throws {
    let (cache, source) = (Cache(), Source())
    let one = cache.promise(for: "a") { source.next() }
    let again = one.catchOn(.immediate) { _ in cache.promise(for: "a") { source.next() } }
    let two = cache.promise(for: "a") { source.next() }
    source.all[0].reject(NumberedError(1))
    XCTAssertEqual(try reason(of: two), NumberedError(1))
    XCTAssertEqual(source.count, 2, "the handler has started a new load")
    source.all[1].fulfill(2)
    XCTAssertEqual(try again.result?.get() as? Int, 2)
    XCTAssertEqual(try cache.promise(for: "a") { 3 }.result?.get() as? Int, 2)
  }

  func testACancelledCallerDisturbsNoOther() throws {
    let (cache, source) = (Cache(), Source())
    let callers = (0..<4).map { _ in cache.promise(for: "a") { source.next().then { $0 } } }
    callers[0].cancel()
    Promise.resolved(callers[1]).cancel()
    callers[2].root.cancel("enough")
    XCTAssertTrue(callers[0].isCancelled && callers[1].isCancelled && callers[2].isCancelled)
    let late = cache.promise(for: "a") { source.next() }
    XCTAssertEqual(source.count, 1)
    source.all[0].fulfill(1)
    XCTAssertEqual(try value(of: callers[3]), 1)
    XCTAssertEqual(try value(of: late), 1)
    callers[3].cancel()
    XCTAssertEqual(try cache.promise(for: "a") { 2 }.result?.get() as? Int, 1, "the value is already loaded")
  }

  func testTheLastOneCancelsTheLoad() throws {
    let (cache, source, begun) = (Cache(), Source(), Recorded(false))
    let one = cache.promise(for: "a") { source.next().then { _ in begun.change { $0 = true } } }
    let two = cache.promise(for: "a") { source.next() }
    one.cancel()
    XCTAssertTrue(source.all[0].isPending)
    two.cancel(NumberedError(1))
    XCTAssertTrue(source.all[0].isCancelled)
    XCTAssertEqual(try reason(of: source.all[0]), NumberedError(1))
    XCTAssertFalse(begun.value)
    XCTAssertEqual(cache.count, 0)
    let next = cache.promise(for: "a") { source.next() }
    XCTAssertTrue(next.isPending && source.count == 2, "the new caller starts a new load")
  }

  func testTheLoadStopsHoweverItsCallersLeave() throws {
    let (cache, source) = (Cache(), Source())
    func ask() -> Promise { cache.promise(for: "a") { source.next() } }
    // The end of a chain is cancelled.
    ask().then { $0 }.cancel()
    XCTAssertTrue(try XCTUnwrap(source.all.last).isCancelled)
    // A combinator is cancelled, and another caller is there.
    let other = ask()
    Promise.all([ask(), Promise()]).cancel()
    XCTAssertTrue(try XCTUnwrap(source.all.last).isPending)
    other.then { $0 }.cancel()
    XCTAssertTrue(try XCTUnwrap(source.all.last).isCancelled)
    // A wait is over.
    XCTAssertThrowsError(try ask().get(timeout: 0.001))
    for load in source.all { XCTAssertTrue(load.isCancelled) }
    XCTAssertEqual(source.count, 3)
  }

  func testALoadThatNeedsItsOwnKeyIsRejected() throws {
    let cache = Cache()
    func assertCycle(_ promise: Promise, line: UInt = #line) {
      guard case .cycle? = try? reason(of: promise, as: PromiseError.self) else {
        return XCTFail("\(promise)", line: line)
      }
      XCTAssertEqual(cache.count, 0, line: line)
    }
    assertCycle(cache.promise(for: "a") { cache.promise(for: "a") { 1 } })
    assertCycle(cache.promise(for: "a") { cache.promise(for: "b") { cache.promise(for: "a") { 1 } } })
    assertCycle(cache.promise(for: "a") { cache.promise(for: "a") { 1 }.then { $0 } })
    assertCycle(cache.promise(for: "a") { try await cache.promise(for: "a") { 1 }.value })
    assertCycle(
      cache.promise(for: "a") {
        try await cache.promise(for: "b") { try await cache.promise(for: "a") { 1 }.value }.value
      })
    XCTAssertEqual(try value(of: cache.promise(for: "a") { cache.promise(for: "b") { 1 } }), 1)
  }

  func testARingOfLoadsOfTwoThreadsIsRejected() throws {
    let (cache, both) = (Cache(), [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)])
    let made = Recorded<[Promise]>([])
    @Sendable func load(_ key: String, _ other: String, _ mine: Int) {
      let promise = cache.promise(for: key) { () -> Promise in
        both[mine].signal()
        XCTAssertEqual(both[1 - mine].wait(timeout: .now() + 20), .success)
        return Promise.all([cache.promise(for: other) { 1 }.then { $0 }])
      }
      made.append(promise)
    }
    let threads = [("a", "b"), ("b", "a")].enumerated().map { index, keys in
      let done = expectation(description: keys.0)
      Thread.detachNewThread {
        load(keys.0, keys.1, index)
        done.fulfill()
      }
      return done
    }
    wait(for: threads, timeout: 30)
    for promise in made.value {
      guard case .cycle? = try? reason(of: promise, as: PromiseError.self) else {
        return XCTFail("\(promise)")
      }
    }
  }

  func testReleasingIsNotCancelling() {
    let (cache, source) = (Cache(), Source())
    do { _ = cache.promise(for: "a") { source.next() } }
    cache.promise(for: "a") { source.next() }.cancel()
    XCTAssertTrue(source.all[0].isPending)
    source.all[0].fulfill(1)
    XCTAssertEqual(try cache.promise(for: "a") { 2 }.result?.get() as? Int, 1)
  }

  func testRemoving() {
    let (cache, source) = (Cache(), Source())
    let one = cache.promise(for: "a") { source.next() }
    cache.remove("a")
    cache.remove("never there")
    let two = cache.promise(for: "a") { source.next() }
    XCTAssertEqual(source.count, 2)
    source.all[1].fulfill(2)
    source.all[0].fulfill(1)
    XCTAssertEqual(try one.result?.get() as? Int, 1, "the removed load continued for its caller")
    XCTAssertEqual(try two.result?.get() as? Int, 2)
    XCTAssertEqual(try cache.promise(for: "a") { 3 }.result?.get() as? Int, 2, "the newer value is kept")
    cache.removeAll()
    XCTAssertEqual(cache.count, 0)
    XCTAssertEqual(try cache.promise(for: "a") { 3 }.result?.get() as? Int, 3)
  }

  func testADroppedCache() throws {
    let (source, released) = (Source(), Recorded(false))
    let (context, one, two): (TestContext, Promise, Promise)
    do {
      context = TestContext()
      let cache = Cache(lifetime: 10, on: context)
      one = cache.promise(for: "a") { source.next() }
      two = cache.promise(for: "b") { source.next() }
      _ = cache.promise(for: "c") { Canary { released.change { $0 = true } } }
      XCTAssertEqual(context.pendingTimers, 1)
      XCTAssertFalse(released.value)
    }
    XCTAssertTrue(released.value, "the cached value is released")
    XCTAssertEqual(context.pendingTimers, 0)
    source.all[0].fulfill(1)
    XCTAssertEqual(try one.result?.get() as? Int, 1)
    two.cancel()
    XCTAssertTrue(source.all[1].isCancelled)
  }

  func testCallersOnSeveralThreads() throws {
    for round in 0..<raceRounds(600) {
      let (cache, loads, cancelled) = (Cache(), Recorded(0), Recorded(0))
      @Sendable func ask() -> Promise {
        cache.promise(for: "a") {
          loads.increment()
          let (promise, resolver) = Promise.pending()
          resolver.onCancel { _ in cancelled.increment() }
          DispatchQueue.global().async { resolver.fulfill(1) }
          return promise
        }
      }
      let kept = Recorded<[Promise]>([])
      together(
        { ask().cancel() },
        { kept.append(ask()) },
        { for _ in 0..<3 { ask().cancel() } },
        {
          kept.append(ask())
          if round % 3 == 0 { cache.remove("a") }
        }
      )
      for promise in kept.value { XCTAssertEqual(try value(of: promise), 1) }
      XCTAssertLessThanOrEqual(cancelled.value, loads.value - 1, "a load that has callers was cancelled")
      XCTAssertEqual(try value(of: ask()), 1)
    }
  }

  func testTheLastOneLeavesAsAnotherComes() throws {
    for _ in 0..<raceRounds(1500) {
      // A new load may wait for the previous load. On `.immediate`, the new load then starts inside the
      // cancel of the previous load.
      let cache = Cache(on: .immediate)
      let (first, second, source) = (Recorded<Promise?>(nil), Recorded<Promise?>(nil), Source())
      first.change { $0 = cache.promise(for: "a") { source.next() } }
      together(
        { first.value?.cancel() },
        { second.change { $0 = cache.promise(for: "a") { source.next() } } })
      let promise = try XCTUnwrap(second.value)
      XCTAssertTrue(promise.isPending, "the new caller was cancelled with the old caller")
      source.all.last?.fulfill(1)
      XCTAssertEqual(try value(of: promise), 1)
    }
  }

  func testANewLoadDoesNotWaitForARemovedOne() {
    let cache = Cache(on: .immediate)
    let (work, resolver) = Promise.callingBack(on: .immediate)
    let old = cache.promise(for: "a") { work }
    cache.remove("a")
    old.withdraw()
    XCTAssertTrue(cache.promise(for: "a") { 7 }.isFulfilled)
    withExtendedLifetime(resolver) {}
  }

  // Spec: X3.6
  func testTheContextDropsTheJobOfALoadThatHasWaited() throws {
    struct Dropping: ExecutionContext { func execute(_ job: @escaping @Sendable () -> Void) {} }
    let cache = Cache(on: Dropping())
    let (work, resolver) = Promise.callingBack(on: .immediate)
    cache.promise(for: "a") { work }.withdraw()
    let next = cache.promise(for: "a") { 7 }
    XCTAssertTrue(next.isPending)
    resolver.fulfill(1)
    XCTAssertTrue(next.isRejected)
  }
}
