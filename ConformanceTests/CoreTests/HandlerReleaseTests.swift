// What a handler captures goes when it can no longer run, whatever the handler's shape, and what it came to goes with
// its promise (L3.5, L3.9).
//
// Worth running with optimization, too: closures and outcomes are counted by hand, and it was an optimizer that once took
// them for borrowed.

import DynamicPromise
import XCTest

final class HandlerReleaseTests: XCTestCase {
  /// Makes a promise out of a canary.
  private typealias Shape = (name: String, make: (Bench, Canary) -> Promise)

  private func check(_ shapes: [Shape], whilePromisesStay: Bool) {
    for (name, make) in shapes {
      let bench = Bench()
      // Twice, because the first time may be special to a cache.
      for _ in 0..<2 {
        bench.kept.append(make(bench, bench.alive.make()))
        bench.finish()
      }
      XCTAssertTrue(bench.kept.allSatisfy(\.isSettled), name)
      if !whilePromisesStay {
        XCTAssertGreaterThan(bench.alive.count, 0, "\(name): the outcome is not what it should be")
        bench.kept = []
      }
      XCTAssertEqual(bench.alive.count, 0, name)
      withExtendedLifetime(bench.kept) {}
    }
  }

  // Spec: L3.5
  func testHandlersThatRanAreFreed() {
    check(
      [
        ("any value", { b, c in b.fulfilled().then { (_: Any) in use(c) } }),
        ("typed value", { b, c in b.fulfilled().then { (_: Int) in use(c) } }),
        ("ignored value", { b, c in b.fulfilled().then { use(c) } }),
        ("any value, any result", { b, c in b.fulfilled().then { (_: Any) -> Any? in use(c, nil) } }),
        ("typed value, any result", { b, c in b.fulfilled().then { (_: Int) -> Any? in use(c, nil) } }),
        ("large captures", { b, c in b.fulfilled().then { [x = (c, 1, 2, c)] _ in use(x.3) } }),
        ("as a variable", { b, c in b.fulfilled().then(b.handler(c)) }),
        ("the same one twice", { b, c in b.twice(b.handler(c)) }),
        ("while pending", { b, c in b.open().then { _ in use(c) } }),
        ("typed, while pending", { b, c in b.open().then { (_: Int) in use(c) } }),
        ("two handlers, value", { b, c in b.fulfilled().then({ _ in use(c) }, { _ in use(c) }) }),
        ("two handlers, reason", { b, c in b.rejected().then({ _ in use(c) }, { _ in use(c) }) }),
        ("two handlers, typed", { b, c in b.fulfilled().then({ (_: Int) in use(c) }, { _ in use(c) }) }),
        ("catch", { b, c in b.rejected().catch { (_: any Error) in use(c) } }),
        ("typed catch", { b, c in b.rejected().catch { (_: Failure) in use(c) } }),
        ("ignoring catch", { b, c in b.rejected().catch { use(c) } }),
        ("finally, value", { b, c in b.fulfilled().finally { use(c) } }),
        ("finally, reason", { b, c in b.rejected().finally { use(c) } }),
        ("thenOn, any", { b, c in b.fulfilled().thenOn(b.context) { (_: Any) in use(c) } }),
        ("thenOn, typed", { b, c in b.fulfilled().thenOn(b.context) { (_: Int) in use(c) } }),
        ("thenOn, ignored", { b, c in b.fulfilled().thenOn(b.context) { use(c) } }),
        ("thenOn, at once", { b, c in b.fulfilled().thenOn(.immediate) { _ in use(c) } }),
        ("catchOn", { b, c in b.rejected().catchOn(b.context) { (_: any Error) in use(c) } }),
      ], whilePromisesStay: true)
  }

  // Spec: L3.5, C9.3
  func testHandlersThatDidNotRunAreFreed() {
    check(
      [
        ("passed by a reason", { b, c in b.rejected().then { (_: Any) in use(c) } }),
        ("typed, passed by", { b, c in b.rejected().then { (_: Int) in use(c) } }),
        ("ignoring, passed by", { b, c in b.rejected().then { use(c) } }),
        ("catch, passed by", { b, c in b.fulfilled().catch { (_: any Error) in use(c) } }),
        ("a value of another type", { b, c in b.fulfilled().then { (_: String) in use(c) } }),
        ("an error of another type", { b, c in b.rejected().catch { (_: Holding) in use(c) } }),
        ("cancelled", { b, c in b.open().then { _ in use(c) }.cancelled() }),
        ("typed, cancelled", { b, c in b.open().then { (_: Int) in use(c) }.cancelled() }),
        ("ignoring, cancelled", { b, c in b.open().then { use(c) }.cancelled() }),
        ("catch, cancelled", { b, c in b.open().catch { _ in use(c) }.cancelled() }),
        ("two handlers, cancelled", { b, c in b.open().then({ _ in use(c) }, { _ in use(c) }).cancelled() }),
        ("finally, cancelled", { b, c in b.open().finally { use(c) }.cancelled() }),
        ("handed over, cancelled", { b, c in b.fulfilled().then { _ in use(c) }.cancelled() }),
        ("catch, handed over, cancelled", { b, c in b.rejected().catch { _ in use(c) }.cancelled() }),
        ("below a cancelled parent", { b, c in b.open().cancelled().then { _ in use(c) } }),
        ("settled by hand", { b, c in b.open().then { _ in use(c) }.fulfilled() }),
      ], whilePromisesStay: true)
  }

  // Spec: L3.5
  func testHandlersOfEachResultAreFreed() {
    check(
      [
        ("throws", { b, c in b.fulfilled().then { (_: Any) -> Int in try fail(c) } }),
        ("returns an error", { b, c in b.fulfilled().then { (_: Any) in use(c, Failure()) } }),
        ("fulfilled promise", { b, c in b.fulfilled().then { [o = b.fulfilled()] _ in use(c, o) } }),
        ("rejected promise", { b, c in b.fulfilled().then { [o = b.rejected()] _ in use(c, o) } }),
        ("pending promise", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, o) } }),
        ("typed, pending", { b, c in b.fulfilled().then { [o = b.open()] (_: Int) in use(c, o) } }),
        ("ignoring, pending", { b, c in b.fulfilled().then { [o = b.open()] in use(c, o) } }),
        ("promise as Any", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, o as Any) } }),
        ("optional promise", { b, c in b.fulfilled().then { [o = b.open()] _ in use(c, Optional(o)) } }),
        ("cancelled promise", { b, c in b.fulfilled().then { [o = b.open().cancelled()] _ in use(c, o) } }),
        ("thenable", { b, c in b.fulfilled().then { _ in StructThenable { r, _ in r(use(c, 1)) } } }),
        ("catch, pending", { b, c in b.rejected().catch { [o = b.open()] _ in use(c, o) } }),
        ("finally, pending", { b, c in b.fulfilled().finally { [o = b.open()] in use(c, o) } }),
        (
          "adopter, cancelled",
          { b, c in b.step(b.fulfilled().then { [o = b.open()] _ in use(c, o) }).cancelled() }
        ),
      ], whilePromisesStay: true)
  }

  // Spec: L3.9
  func testSecondSettlementsAreFreed() {
    check(
      [
        ("value", { b, c in b.fulfilled().fulfilled(with: c) }),
        ("resolution", { b, c in b.fulfilled().resolved(with: c) }),
        ("reason", { b, c in b.fulfilled().rejected(with: Holding(c)) }),
        ("reason after a reason", { b, c in b.rejected().rejected(with: Holding(c)) }),
        ("error", { b, c in b.rejected().resolved(with: Holding(c)) }),
        ("promise", { b, c in b.fulfilled().resolved(with: Promise.resolved(c)) }),
        ("value after adoption", { b, c in b.open().resolved(with: b.open()).fulfilled(with: c) }),
        ("reason after adoption", { b, c in b.open().resolved(with: b.open()).rejected(with: Holding(c)) }),
        ("value after cancellation", { b, c in b.open().cancelled().fulfilled(with: c) }),
        ("reason of a second cancellation", { b, c in b.open().cancelled().cancelled(with: Holding(c)) }),
        ("result after cancellation", { b, c in b.cancelledInside(c) }),
      ], whilePromisesStay: true)
  }

  // Spec: L3.9
  func testOutcomesAreFreedWithTheirPromises() {
    check(
      [
        ("value", { b, c in b.open().fulfilled(with: c) }),
        ("value, resolved", { b, c in b.open().resolved(with: c) }),
        ("reason", { b, c in b.open().rejected(with: Holding(c)) }),
        ("cancellation", { b, c in b.open().cancelled(with: Holding(c)) }),
        ("result", { b, c in b.fulfilled().then { (_: Any) in c } }),
        ("result as Any", { b, c in b.fulfilled().then { (_: Int) -> Any in c } }),
        ("result, ignoring", { b, c in b.fulfilled().then { [c] in c } }),
        ("optional result", { b, c in b.fulfilled().then { (_: Any) -> Canary? in c } }),
        ("large result", { b, c in b.fulfilled().then { (_: Any) in (c, 1, 2, 3, c) } }),
        ("result handed on", { b, c in b.fulfilled().then { _ in c }.then { (v: Canary) in v }.then { $0 } }),
        ("thrown", { b, c in b.fulfilled().then { (_: Any) -> Int in throw Holding(c) } }),
        ("thrown, typed", { b, c in b.fulfilled().then { (_: Int) -> Int in throw Holding(c) } }),
        ("thrown, ignoring", { b, c in b.fulfilled().then { () -> Int in throw Holding(c) } }),
        ("returned error", { b, c in b.fulfilled().then { (_: Any) in Holding(c) } }),
        ("thrown by catch", { b, c in b.rejected().catch { (_: any Error) -> Int in throw Holding(c) } }),
        ("passed on", { b, c in b.open().rejected(with: Holding(c)).then { _ in }.finally {} }),
        ("adopted value", { b, c in b.fulfilled().then { [o = b.open().fulfilled(with: c)] _ in o } }),
        (
          "adopted reason",
          { b, c in b.fulfilled().then { [o = b.open().rejected(with: Holding(c))] _ in o } }
        ),
        ("value adopted later", { b, c in b.fulfilled().then { [o = b.open().then { _ in c }] _ in o } }),
      ], whilePromisesStay: false)
  }
}

/// Where a program is made: promises that stay, and a context that runs by hand.
private final class Bench: @unchecked Sendable {
  let context = SteppedContext()
  let alive = Aviary()
  var kept: [Promise] = []

  func open() -> Promise {
    let promise = Promise(on: context)
    kept.append(promise)
    return promise
  }

  func fulfilled() -> Promise { open().fulfilled() }
  func rejected() -> Promise { open().rejected(with: Failure()) }

  func handler(_ canary: Canary) -> (@Sendable (Any) throws -> Void)? { { _ in use(canary) } }

  func twice(_ handler: (@Sendable (Any) throws -> Void)?) -> Promise {
    kept.append(open().then(handler))
    return fulfilled().then(handler)
  }

  func step(_ promise: Promise) -> Promise {
    context.drain()
    return promise
  }

  /// Its handler finds it cancelled when it returns.
  func cancelledInside(_ canary: Canary) -> Promise {
    let own = Log<Promise>()
    let promise = fulfilled().then { _ in
      own.all[0].cancel()
      return canary
    }
    own.append(promise)
    return step(promise)
  }

  /// Brings everything to its end.
  func finish() {
    context.drain()
    for promise in kept where promise.isPending { promise.fulfill(0) }
    context.drain()
  }
}

extension Promise {
  fileprivate func fulfilled(with value: Any = 0) -> Promise {
    fulfill(value)
    return self
  }

  fileprivate func rejected(with reason: Any) -> Promise {
    reject(reason)
    return self
  }

  fileprivate func resolved(with x: Any) -> Promise {
    resolve(x)
    return self
  }

  fileprivate func cancelled(with reason: Any = Failure()) -> Promise {
    cancel(reason)
    return self
  }
}

private func use(_ canary: Canary) { withExtendedLifetime(canary) {} }

private func use<T>(_ canary: Canary, _ result: T) -> T { withExtendedLifetime(canary) { result } }

private func fail<T>(_ canary: Canary) throws -> T { throw use(canary, Failure()) }

/// An error that holds something.
private struct Holding: Error {
  let canary: Canary
  init(_ canary: Canary) { self.canary = canary }
}
