// `nil`, empty lists and promises that follow themselves (H10.1 to H10.3).

import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import TestSupport
import XCTest

final class UnusualInputTests: XCTestCase {
  private let nothings: [Any] = [
    Int?.none as Any, Any?.none as Any, Int??.some(nil) as Any, Any??.some(nil) as Any,
  ]

  /// Swift casts these `nil`s to types that are not optional.
  // Spec: H10.1, H2.7
  func testNilIsNotAValueOfANonOptionalType() throws {
    let none: Int? = nil
    for value in [none as Any, Any?.none as Any, Optional(none) as Any] {
      let root = Promise(on: .immediate)
      let children = [
        root.then { (_: AnyHashable) in }, root.then { (_: any Encodable) in },
        root.then { (_: AnyObject) in },
      ]
      let accepted = [
        root.then { (_: AnyHashable?) in }, root.then { (_: Any) in }, root.then { (_: Any?) in },
      ]
      root.fulfill(value)
      for child in children {
        guard case .typeMismatch? = try child.reason() as? PromiseError else { return XCTFail("\(child)") }
      }
      for child in accepted { XCTAssertTrue(child.isFulfilled, "\(child)") }
      XCTAssertThrowsError(try root.get(as: AnyHashable.self))
    }
  }

  // Spec: H10.1, A2.9
  func testNilIsAValue() throws {
    for nothing in nothings + [Promise?.none as Any] {
      let fulfilled = Promise()
      fulfilled.fulfill(nothing)
      let (box, clock) = (UncheckedValue(nothing), TestContext())
      let delayed = Promise.delay(0, nothing, on: clock)
      XCTAssertTrue(Promise.delay(0, nil, on: clock).isPending)
      clock.advance(by: 0)
      for promise in [
        fulfilled, .resolved(nothing), Promise { $0.resolve(nothing, nil) }, delayed,
        Promise.resolved(0).thenOn(.immediate) { _ in box.value }, .any([nothing]), .race([nil]),
      ] {
        XCTAssertTrue(isNil(try promise.value(as: Any.self)))
        let typed = promise.thenOn(.immediate) { (value: Int?) in value ?? 7 }
        let wrong = promise.thenOn(.immediate) { (value: Int) in value }
        XCTAssertEqual(try typed.value(as: Int.self), 7, "nil counts as nil of any type")
        guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
      }
      XCTAssertTrue(try Promise.all([nothing, nil]).value(as: [Any].self).allSatisfy { isNil($0) })
    }
  }

  // Spec: H10.1
  func testNilIsAReason() throws {
    for nothing in nothings {
      let cancelled = Promise()
      cancelled.cancel(nothing)
      guard case PromiseError.rejected(let reason) = try Promise.rejected(nothing).reason(),
        case PromiseError.cancelled(let other) = try cancelled.reason()
      else { return XCTFail("not wrapped") }
      XCTAssertTrue(isNil(reason) && isNil(other))
    }
  }

  // Spec: H10.1
  func testNilIsNotAHandler() throws {
    let context = SteppedContext()
    let failure = Failure()
    let (fulfilled, rejected) = (context.settled(1), Promise.rejected(failure, on: context))
    let noValue: (@Sendable (Any) throws -> Int)? = nil
    let noNumber: (@Sendable (Int) throws -> Int)? = nil
    let noReason: (@Sendable (any Error) throws -> Int)? = nil
    for promise in [fulfilled, rejected] {
      for child in [
        promise.then(noValue), promise.then(noNumber), promise.then(noValue, noReason),
        promise.then(noNumber, noReason), promise.catch(noReason),
      ] {
        XCTAssertEqual(context.pendingJobs, 0, "a promise without a handler needs no context")
        switch child.result {
        case .success(let value)?: XCTAssertEqual(value as? Int, 1)
        case .failure(let reason)?: XCTAssertTrue(reason as? Failure === failure)
        case nil: XCTFail("pending")
        }
      }
    }
    let hooked = Promise(onCancel: nil, onAbandon: nil)
    hooked.cancel()
    XCTAssertTrue(hooked.isCancelled)
  }

  // Spec: H10.2, K1.5
  func testEmptyListsSettleAtOnce() async throws {
    let nothing: [Promise] = []
    for (name, promise) in [
      ("all", Promise.all(nothing)), ("allSettled", Promise.allSettled(nothing)),
      ("sequence", Promise.sequence(nothing) { _ in XCTFail("ran") }),
      ("all of Any?", Promise.all([Any?]())), ("all of a set", Promise.all(Set<Int>())),
    ] {
      guard case .success(let value)? = promise.result else { return XCTFail("\(name): \(promise)") }
      XCTAssertEqual((value as? [Any])?.count, 0, name)
    }
    for (name, promise) in [("any", Promise.any(nothing)), ("race", Promise.race(nothing))] {
      guard case .failure(PromiseError.noneFulfilled(let reasons))? = promise.result else {
        return XCTFail("\(name): \(promise)")
      }
      XCTAssertEqual(reasons.count, 0, name)
    }
    for await result in Promise.results(of: nothing) { XCTFail("\(result)") }
  }

  // Spec: H10.3
  func testAPromiseMayBeResolvedWithItself() throws {
    for (name, entangle): (String, (Promise) -> Void) in [
      ("resolve", { $0.resolve($0) }), ("bind", { $0.bind($0) }),
      ("optional", { $0.resolve(Optional($0) as Any) }),
      ("thenable", { own in own.resolve(StructThenable { [weak own] resolve, _ in resolve(own as Any) }) }),
    ] {
      let promise = Promise()
      entangle(promise)
      guard case .failure(PromiseError.cycle)? = promise.result else { return XCTFail("\(name): \(promise)") }
      entangle(promise)
      XCTAssertTrue(promise.isRejected, "still rejected after the second call")
    }
    // The promise follows a combinator whose only input is this promise.
    let result = Promise()
    result.bind(.all([result]))
    XCTAssertTrue(result.isPending)
    result.fulfill("too late: it is resolved")
    XCTAssertTrue(result.isPending)
    result.cancel()
    XCTAssertTrue(result.isCancelled)
  }

  // Spec: H10.3
  func testAPromiseMayFollowItsOwnDescendant() {
    let root = Promise()
    let child = root.then { $0 }
    let grandchild = child.then { $0 }
    root.bind(grandchild)
    XCTAssertTrue(root.isPending && child.isPending && grandchild.isPending)
    grandchild.cancel()
    XCTAssertTrue(grandchild.isCancelled)
    XCTAssertTrue(root.isCancelled)
    XCTAssertTrue(child.isCancelled)
  }

  /// A handler of an `Any?` receives `nil` for `nil`, however deep, and any other value unwrapped.
  // Spec: H10.1
  func testAHandlerOfAnOptionalAnySeesNil() throws {
    actor Tally {}
    @Sendable func sent(_ isNil: Bool) async throws -> Bool { isNil }
    let (tally, queue) = (Tally(), DispatchQueue(label: "queue"))
    let cases = [(nil, true), (Int??.some(nil) as Any, true), (1, false)] as [(Any?, Bool)]
    for (promise, expected) in cases.map({ (Promise.resolved($0), $1) }) {
      let children = [
        promise.then { (x: Any?) in x == nil }, promise.thenOn(queue) { (x: Any?) in x == nil },
        promise.thenOnMain { (x: Any?) in x == nil }, promise.then { (x: Any?) in try await sent(x == nil) },
        promise.thenOnMain { (x: Any?) in try await sent(x == nil) },
        promise.thenOn(queue) { (x: Any?) in try await sent(x == nil) },
        promise.thenOn(tally) { (_, x: Any?) in x == nil },
        promise.thenOn(tally) { (_, x: Any?) in try await sent(x == nil) },
        promise.then({ (x: Any?) in x == nil }, { _ in 1 }),
        promise.then({ (x: Any?) in try await sent(x == nil) }, { _ in 1 }),
        promise.thenOn(queue, { (x: Any?) in x == nil }, { _ in 1 }),
        promise.thenOn(queue, { (x: Any?) in try await sent(x == nil) }, { _ in 1 }),
        promise.thenOnMain({ (x: Any?) in x == nil }, { _ in 1 }),
        promise.thenOnMain({ (x: Any?) in try await sent(x == nil) }, { _ in 1 }),
        Promise.map([promise]) { (x: Any?) in x == nil }.then { ($0 as? [Bool])?.first },
        Promise.map([promise]) { (x: Any?) in try await sent(x == nil) }.then { ($0 as? [Bool])?.first },
        Promise.sequence([promise]) { (x: Any?) in x == nil }.then { ($0 as? [Bool])?.first },
        Promise.sequence([promise]) { (x: Any?) in try await sent(x == nil) }.then {
          ($0 as? [Bool])?.first
        },
        Promise.all([promise]).spread { (x: Any?) in x == nil },
        promise.then { (x: Any?) in
          if x == nil { return true }
          return false as Any
        },
      ]
      for (number, child) in children.enumerated() {
        XCTAssertEqual(try value(of: child), expected, "handler \(number)")
      }
      let seen = Recorded<[Bool]>([]), see = { @Sendable isNil in seen.change { $0.append(isNil) } }
      _ = try outcome(of: promise.tap { (x: Any?) in see(x == nil) })
      _ = try outcome(of: promise.tap { (x: Any?) in see(try await sent(x == nil)) })
      promise.onSuccess(on: .immediate) { (x: Any?) in see(x == nil) }
      XCTAssertEqual(seen.value, [expected, expected, expected])
    }
  }
}
