import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class PromiseCacheKeepingTests: XCTestCase {
  private typealias Cache = PromiseCache<String>

  func testValuesExpireByTheClockOfTheContext() throws {
    let (context, loads) = (TestContext(), Recorded(0))
    let cache = Cache(lifetime: 10, on: context)
    @Sendable func ask() -> Int? {
      let promise = cache.promise(for: "a") { loads.increment() }
      context.drain()
      return try? promise.result?.get() as? Int
    }
    XCTAssertEqual(ask(), 1)
    context.advance(by: 9)
    XCTAssertEqual(ask(), 1, "a request does not extend the lifetime")
    context.advance(by: 1)
    XCTAssertEqual(cache.count, 0, "the value is released when it expires")
    XCTAssertEqual(ask(), 2)
  }

  func testTheTimeBeginsWhenItHasBeenLoaded() {
    let (context, source) = (TestContext(), Source())
    let cache = Cache(lifetime: 10, on: context)
    let one = cache.promise(for: "a") { source.next() }
    context.advance(by: 100)
    XCTAssertEqual(context.pendingTimers, 0)
    source.all[0].fulfill(1)
    context.advance(by: 9)
    XCTAssertTrue(one.isFulfilled)
    XCTAssertEqual(cache.count, 1)
    context.advance(by: 1)
    XCTAssertEqual(cache.count, 0)
  }

  func testAnOldTimerDoesNotTouchANewValue() {
    let context = TestContext()
    let cache = Cache(lifetime: 10, on: context)
    _ = cache.promise(for: "a") { 1 }
    context.advance(by: 6)
    cache.remove("a")
    XCTAssertEqual(context.pendingTimers, 0)
    _ = cache.promise(for: "a") { 2 }
    context.advance(by: 6)
    XCTAssertEqual(cache.count, 1)
    context.advance(by: 4)
    XCTAssertEqual(cache.count, 0)
  }

  func testTheSystemsClock() {
    let cache = Cache(lifetime: 1e-3)
    _ = cache.promise(for: "a") { 1 }
    eventually("expired") { cache.count == 0 }
  }

  func testUnusualLifetimesAndLimits() {
    let context = TestContext()
    var caches = ([0, -1, .nan] as [Double]).map { Cache(lifetime: $0, on: context) }
    caches += [0, -1].map { Cache(limit: $0) }
    for (number, cache) in caches.enumerated() {
      let source = Source()
      let callers = (0..<2).map { _ in cache.promise(for: "a") { source.next() } }
      source.all[0].fulfill(1)
      XCTAssertTrue(callers.allSatisfy(\.isFulfilled), "the callers share the load")
      XCTAssertEqual(cache.count, 0, "\(number)")
    }
    let cache = Cache(on: context)
    _ = cache.promise(for: "a") { 1 }
    XCTAssertEqual(context.pendingTimers, 0)
    context.advance(by: 1e9)
    XCTAssertEqual(cache.count, 1)
  }

  func testTheLimit() {
    let (cache, log) = (Cache(limit: 2), Recorded<[String]>([]))
    func ask(_ key: String) { _ = cache.promise(for: key) { log.append(key) } }
    let source = Source()
    let load = cache.promise(for: "load") { source.next() }
    for key in ["a", "b", "a", "c"] { ask(key) }  // removes b
    XCTAssertEqual(cache.count, 3)
    for key in ["a", "c", "b"] { ask(key) }  // loads b again, removes a
    XCTAssertEqual(log.value, ["a", "b", "c", "b"])
    source.all[0].fulfill(1)  // removes c
    XCTAssertTrue(load.isFulfilled)
    XCTAssertEqual(cache.count, 2)
    ask("b")
    XCTAssertEqual(log.value, ["a", "b", "c", "b"])
    ask("c")
    XCTAssertEqual(log.value, ["a", "b", "c", "b", "c"])
  }

  func testALimitWithManyRequests() {
    let (context, loads) = (TestContext(), Recorded(0))
    let cache = PromiseCache<Int>(lifetime: 10, limit: 10, on: context)
    for round in 0..<20 {
      for key in 0..<100 {
        for _ in 0..<3 { _ = cache.promise(for: round % 2 == 0 ? key : key % 10) { loads.increment() } }
      }
      XCTAssertEqual(cache.count, 10)
      XCTAssertEqual(context.pendingTimers, 10, "a displaced value needs no timer")
    }
    XCTAssertEqual(loads.value, 100 + 9 * 90 + 10 * 10, "a hundred keys reuse ten values")
  }

  func testWhatHasBeenDisplacedIsReleased() {
    let alive = Recorded(0)
    let cache = PromiseCache<CountedKey>(limit: 2)
    let often = CountedKey(-1, alive)
    for number in 0..<1000 {
      _ = cache.promise(for: CountedKey(number, alive)) { number }
      _ = cache.promise(for: often) { -1 }
    }
    XCTAssertEqual(cache.count, 2)
    XCTAssertLessThan(alive.value, 50)
  }

  func testNothingIsLeftOfALoad() {
    let cache = Cache()
    let (caller, load): (WeakReference<Promise>, WeakReference<Promise>)
    do {
      let source = Source()
      caller = WeakReference(cache.promise(for: "a") { source.next().then { $0 } })
      load = WeakReference(source.all[0])
      source.all[0].fulfill(1)
    }
    eventually("released") { caller.object == nil && load.object == nil }
    XCTAssertEqual(cache.count, 1)
  }
}

/// A key that counts the live keys.
private final class CountedKey: Hashable, Sendable {
  private let number: Int
  private let alive: Recorded<Int>

  init(_ number: Int, _ alive: Recorded<Int>) {
    (self.number, self.alive) = (number, alive)
    alive.increment()
  }

  deinit { alive.change { $0 -= 1 } }

  static func == (left: CountedKey, right: CountedKey) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
