// Values and reasons keep their identity (A3).

import DynamicPromise
import XCTest

final class IdentityTests: XCTestCase {
  // Spec: A3.1
  func testValueAndReasonKeepTheirIdentity() throws {
    let (context, value, failure) = (SteppedContext(), Canary(), Failure())
    let (good, bad) = (Promise(on: context), Promise(on: context))
    func lengthen(_ promise: Promise) -> Promise {
      let passed = promise.then { $0 }.catch { throw $0 }.finally {}
      let outer = passed.follower(on: context).follower(on: context)
      return outer.then { _ in outer }.catch { _ in outer }
    }
    let (fromGood, fromBad) = (lengthen(good), lengthen(bad))
    good.fulfill(value)
    bad.reject(failure)
    context.drain()
    XCTAssertTrue(try fromGood.value(as: Canary.self) === value)
    XCTAssertTrue(try fromBad.reason() as? Failure === failure)
  }

  // Spec: A3.2
  func testFulfillDoesNotLookIntoItsValue() throws {
    let reads = Counter()
    let inner = Promise.resolved("inner")
    let failure = Failure()
    for isOpen in [false, true] {
      func verbatim(_ x: Any) throws -> [Any] {
        let (made, resolver) = Promise.pending()
        let promise = isOpen ? Promise() : made
        let child = promise.then(nil as (@Sendable (Any) throws -> Any)?)
        let caught = promise.catch { $0 }
        XCTAssertTrue(isOpen ? promise.fulfill(x) : resolver.fulfill(x))
        return try [promise, child, caught].map { try $0.outcome().get() }
      }
      for value in try verbatim(inner) { XCTAssertTrue(value as? Promise === inner) }
      for value in try verbatim(failure) { XCTAssertTrue(value as? Failure === failure) }
      for value in try verbatim(Tracing(onGet: { reads.increment() }, onCall: {})) {
        XCTAssertTrue(value is Tracing)
      }
      for value in try verbatim(Optional(inner) as Any) { XCTAssertTrue(value as? Promise === inner) }
    }
    XCTAssertEqual(reads.value, 0)
    // A promise can be fulfilled with itself; this is not a cycle.
    let own = Promise()
    own.fulfill(own)
    XCTAssertTrue(own.isFulfilled)
    XCTAssertTrue(try own.outcome().get() as? Promise === own)
  }

  // Spec: A3.3, R1.4
  func testRejectWrapsAReasonThatIsNotAnError() throws {
    let failure = Failure()
    let noError: (any Error)? = nil
    for x: Any in [failure, Optional(failure) as Any, Optional(failure as any Error) as Any] {
      XCTAssertTrue(try Promise.rejected(x).reason() as? Failure === failure, "\(type(of: x))")
    }
    let object = Canary()
    for x: Any in ["text", 7, object, (), noError as Any] {
      guard case PromiseError.rejected(let reason) = try Promise.rejected(x).reason() else {
        XCTFail("\(x) is not wrapped")
        continue
      }
      XCTAssertEqual("\(reason)", "\(x)")
      if x is Canary { XCTAssertTrue(reason as? Canary === object) }
    }
    let (promise, resolver) = Promise.pending()
    resolver.reject("text")
    guard case PromiseError.rejected("text" as String) = try promise.reason() else {
      return XCTFail("\(promise)")
    }
  }

  // Spec: A3.4
  func testAPromiseAsAReasonIsNotFollowed() throws {
    let reads = Counter()
    let tracing = Tracing(onGet: { reads.increment() }, onCall: {})
    let (settled, pending) = (Promise.resolved(1), Promise())
    for reason: Any in [settled, pending, Optional(settled) as Any, tracing] {
      let fromThenable = StructThenable { _, reject in reject(reason) }
      for promise in [Promise.rejected(reason), Promise.resolved(fromThenable)] {
        guard case PromiseError.rejected(let held) = try promise.reason() else {
          XCTFail("\(reason): \(promise)")
          continue
        }
        if let expected = reason as? Promise { XCTAssertTrue(held as? Promise === expected) }
      }
    }
    XCTAssertEqual(reads.value, 0)
    // A cancel of the rejected promise is not forwarded to the promise that is its reason.
    Promise.rejected(pending).cancel()
    XCTAssertTrue(pending.isPending)
  }

  // Spec: A3.5, 2.1.2.2, 2.1.3.2, R1.1
  func testASecondSettlementIsIgnored() throws {
    let value = Canary()
    let failure = Failure()
    let bind: StateTests.Way = ("follow", { $1.resolve(Promise()) })
    for (name, settle) in StateTests.ways + CollectionOfOne(bind) {
      let (good, goodResolver) = Promise.pending()
      let (bad, badResolver) = Promise.pending()
      let calls = Counter()
      good.thenOn(.immediate, { _ in calls.increment() }, { _ in calls.increment() })
      bad.thenOn(.immediate, { _ in calls.increment() }, { _ in calls.increment() })
      goodResolver.fulfill(value)
      badResolver.reject(failure)
      _ = settle(good, goodResolver)
      _ = settle(bad, badResolver)
      XCTAssertTrue(try good.value(as: Canary.self) === value, name)
      XCTAssertTrue(try bad.reason() as? Failure === failure, name)
      XCTAssertFalse(good.isCancelled || bad.isCancelled, name)
      XCTAssertEqual(calls.value, 2, name)
    }
  }
}
