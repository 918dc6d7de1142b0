// `fulfill`, `reject`, `resolve`, `bind` and `cancel` return whether they took effect (H11).

import DynamicPromise
import XCTest

final class WinningTests: XCTestCase {
  typealias Way = (name: String, settle: @Sendable (Promise, Resolver) -> Bool)

  /// Each way to settle, through the promise and through its resolver.
  static let ways: [Way] = [
    ("fulfill", { promise, _ in promise.fulfill(1) }),
    ("fulfill with nil", { promise, _ in promise.fulfill(nil) }),
    ("reject", { promise, _ in promise.reject(Failure()) }),
    ("resolve", { promise, _ in promise.resolve(1) }),
    ("resolve with an error", { promise, _ in promise.resolve(Failure()) }),
    ("resolve with itself", { promise, _ in promise.resolve(promise) }),
    ("resolve with a settled promise", { promise, _ in promise.resolve(Promise.resolved(1)) }),
    ("a resolver's fulfill", { _, resolver in resolver.fulfill(1) }),
    ("a resolver's reject", { _, resolver in resolver.reject("no") }),
    ("a resolver's resolve", { _, resolver in resolver.resolve(nil) }),
    ("a callback's value", { _, resolver in resolver.resolve(1, nil) }),
    ("a callback's error", { _, resolver in resolver.resolve(nil, Failure()) }),
    ("a result", { _, resolver in resolver.resolve(Result<Int, Failure>.success(1)) }),
    ("a failed result", { _, resolver in resolver.resolve(Result<Int, Failure>.failure(Failure())) }),
    ("cancel", { promise, _ in promise.cancel() }),
    ("cancel with a reason", { promise, _ in promise.cancel("closed") }),
    ("cancel of the future", { promise, _ in promise.cancel() }),
  ]

  // Spec: H11.1, H8.4
  func testTheFirstWinsAndTheOthersDoNot() {
    for first in Self.ways {
      for second in Self.ways {
        let (promise, resolver) = Promise.pending()
        promise.ignoreErrors()
        XCTAssertTrue(first.settle(promise, resolver), first.name)
        XCTAssertTrue(promise.isSettled, first.name)
        XCTAssertFalse(second.settle(promise, resolver), "\(second.name) after \(first.name)")
      }
    }
  }

  // Spec: H11.4
  func testResults() throws {
    func resolved<Value>(with result: Result<Value, Failure>) -> Promise {
      Promise { XCTAssertTrue($0.resolve(result)) }
    }
    let failure = Failure()
    XCTAssertEqual(try resolved(with: .success(7)).value(), 7)
    XCTAssertTrue(try resolved(with: Result<Int, Failure>.failure(failure)).reason() as? Failure === failure)
    XCTAssertTrue(resolved(with: .success(Promise.resolved(8))).isFulfilled, "a promise is followed")
    XCTAssertEqual(try resolved(with: .success(Promise.resolved(8))).value(), 8)
    XCTAssertTrue(try resolved(with: .success(failure as any Error)).reason() as? Failure === failure)
    XCTAssertTrue(resolved(with: .success(nil as Int?)).isFulfilled)
    let erased: Any = Result<Int, Failure>.success(7)
    let value = try Promise { $0.resolve(erased) }.value(as: Result<Int, Failure>.self)
    XCTAssertEqual(try value.get(), 7)
  }

  // Spec: H11.4
  func testAClosureWithoutAResultReturnsWhatRejectSays() {
    let failure = Failure()
    let promise = Promise { resolver in
      let callback: (Int?) -> Void = { value in
        guard let value else { return resolver.reject(failure) }
        resolver.fulfill(value)
      }
      callback(nil)
      callback(1)
    }
    XCTAssertTrue(try promise.reason() as? Failure === failure)
    let (_, resolver) = Promise.pending()
    let wins = resolver.reject(failure)
    XCTAssertFalse(wins, "the promise is deallocated")
  }

  // Spec: H11.1
  func testOneThatFollowsAnotherIsTaken() {
    let other = Promise()
    let consumer = other.then { $0 }  // Keeps `other` pending.
    let functions = Log<DeferredThenable.Functions>()
    let ways: [(String, (Promise) -> Bool)] = [
      ("bind", { $0.bind(other) }), ("bind to a future", { $0.bind(other) }),
      ("resolve", { $0.resolve(other) }), ("a thenable", { $0.resolve(DeferredThenable(functions)) }),
    ]
    for (name, follow) in ways {
      let promise = Promise()
      XCTAssertTrue(follow(promise), name)
      XCTAssertTrue(promise.isPending, name)
      for (again, followAgain) in ways { XCTAssertFalse(followAgain(promise), "\(again) after \(name)") }
      XCTAssertFalse(promise.fulfill(1), name)
      XCTAssertFalse(promise.reject(2), name)
      XCTAssertTrue(promise.cancel(), "a cancel still settles the promise")
      XCTAssertFalse(promise.cancel(), name)
    }
    consumer.cancel()
  }

  // Spec: H11.3
  func testACancelThatOnlyPassesThrough() {
    let root = Promise.resolved(1, on: SteppedContext())
    let child = root.then { $0 }
    XCTAssertFalse(root.cancel("closed"), "the root is already fulfilled")
    XCTAssertTrue(root.isFulfilled)
    XCTAssertTrue(child.isCancelled, "the child is still cancelled")
    XCTAssertFalse(child.cancel())
  }

  // Spec: H11.3
  func testAChildOfACancelledPromiseWhoseHandlerIsStillToRun() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let child = root.catch { _ in 1 }
    XCTAssertTrue(root.cancel())
    XCTAssertTrue(child.isPending)
    XCTAssertTrue(child.cancel("at once"), "this call settles the child")
    context.drain()
    XCTAssertEqual((try? child.reason()).map { "\($0)" }, "cancelled: at once")
  }

  // Spec: H11.1
  func testOneOfManyThreads() {
    for round in 0..<200 {
      let promise = Promise()
      promise.ignoreErrors()
      let wins = Counter()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let won =
          switch (thread + round) % 4 {
          case 0: promise.fulfill(thread)
          case 1: promise.reject(Failure())
          case 2: promise.resolve(Promise.resolved(thread))
          default: promise.cancel()
          }
        if won { wins.increment() }
      }
      // A promise that follows another promise can still be cancelled.
      XCTAssertTrue(wins.value == 1 || wins.value == 2 && promise.isCancelled, "\(wins.value)")
    }
  }
}
