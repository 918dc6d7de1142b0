// The state of a promise, the results of settling calls, and the texts of errors (H2.1 to H2.4, H11).

import DynamicPromise
import XCTest

final class StateTests: XCTestCase {
  /// Each way to settle, through the promise and through its resolver.
  static let ways: [Way] = [
    ("fulfill", { _, resolver in resolver.fulfill(1) }),
    ("reject", { _, resolver in resolver.reject("no") }),
    ("resolve", { _, resolver in resolver.resolve(nil) }),
    ("resolve with an error", { _, resolver in resolver.resolve(Failure()) }),
    ("resolve with itself", { promise, resolver in resolver.resolve(promise) }),
    ("resolve with a settled promise", { _, resolver in resolver.resolve(Promise.resolved(1)) }),
    ("a callback's value", { _, resolver in resolver.resolve(1, nil) }),
    ("a callback's error", { _, resolver in resolver.resolve(nil, Failure()) }),
    ("a result", { _, resolver in resolver.resolve(Result<Int, Failure>.success(1)) }),
    ("cancel", { promise, _ in promise.cancel() }),
    ("cancel with a reason", { promise, _ in promise.cancel("closed") }),
  ]

  /// Expects that the properties in `expected` are true, and that the others are false.
  private func check(_ promise: Promise, _ expected: String, _ what: String, line: UInt = #line) {
    let states = [
      ("pending", promise.isPending), ("fulfilled", promise.isFulfilled), ("rejected", promise.isRejected),
      ("cancelled", promise.isCancelled),
    ]
    XCTAssertEqual(states.filter(\.1).map(\.0).joined(separator: ", "), expected, what, line: line)
    XCTAssertEqual(promise.isSettled, expected != "pending", what, line: line)
    XCTAssertEqual(promise.result == nil, expected == "pending", what, line: line)
  }

  // Spec: H2.1, R1.1, R1.2
  func testTheStatePropertiesOfEachState() {
    let cancelled = "rejected, cancelled"
    let open = Promise()
    check(open, "pending", "new")
    let child = open.then { $0 }
    check(child, "pending", "child of a pending promise")
    check(Promise.resolved(1), "fulfilled", "value")
    check(Promise.resolved(Optional<Int>.none as Any), "fulfilled", "nil")
    check(Promise.rejected("no"), "rejected", "reason")
    check(Promise.resolved(Failure()), "rejected", "Error")
    check(Promise.rejected(CancellationError()), cancelled, "an Error that counts as a cancellation")
    open.cancel()
    check(open, cancelled, "cancelled by request")
    check(child, cancelled, "cancelled from above")
    check(Promise().cancelled(), cancelled, "cancelled with another Error")
    check(Promise().fulfilled(with: CancellationError()), "fulfilled", "a cancellation as a value")
  }

  // Spec: H2.2
  func testTheResultOfEachState() throws {
    let (promise, value, failure) = (Promise(), Canary(), Failure())
    XCTAssertNil(promise.result)
    promise.fulfill(value)
    for _ in 0..<3 { XCTAssertTrue(try promise.result?.get() as? Canary === value) }
    for promise in [Promise.rejected(failure), Promise().cancelled(with: failure)] {
      guard case .failure(let reason)? = promise.result else { return XCTFail("\(promise)") }
      XCTAssertTrue(reason as? Failure === failure)
    }
    XCTAssertNotNil(Promise.resolved(nil).result, "a promise that is fulfilled with nil has a result")
  }

  // Spec: H2.3
  func testAPromiseThatFollowsAnotherIsPending() {
    let target = Promise()
    let adopter = Promise()
    adopter.resolve(target)
    let outer = Promise()
    outer.bind(adopter)
    let functions = Log<@Sendable (Any) -> Void>()
    let kept = Promise()
    kept.resolve(StructThenable { resolve, _ in functions.append(resolve) })
    let (parent, child) = { (parent: Promise) in (parent, parent.then { _ in target }) }(
      Promise(on: .immediate))
    parent.fulfill(0)
    for promise in [adopter, outer, kept, child] { check(promise, "pending", "locked in") }
    target.fulfill("end")
    functions.all[0]("end")
    for promise in [adopter, outer, kept, child] { check(promise, "fulfilled", "followed") }
  }

  typealias Way = (name: String, settle: @Sendable (Promise, Resolver) -> Bool)

  // Spec: H11.1
  func testOnlyTheFirstSettlingCallReturnsTrue() {
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

  // Spec: S2.1, S2.2
  func testOnlyAPromiseMadeWithoutAResolverCanBeSettledDirectly() {
    let (withResolver, resolver) = Promise.pending()
    let parent = Promise()
    let others: [(String, Promise)] = [
      ("a promise with a resolver", withResolver), ("a child", parent.then { $0 }),
      ("the result of a combinator", Promise.all([parent])), ("a timer", Promise.delay(1000)),
      ("a task", Promise { () async in await Task.yield() }),
      ("a series", Promise.sequence([1]) { _ in parent }),
    ]
    let calls: [(String, @Sendable (Promise) -> Bool)] = [
      ("fulfill", { $0.fulfill(1) }), ("reject", { $0.reject("no") }), ("resolve", { $0.resolve(1) }),
      ("bind", { $0.bind(.resolved(1)) }),
    ]
    for (call, settle) in calls {
      XCTAssertTrue(settle(Promise()), call)
      XCTAssertTrue(settle(Promise(on: .immediate)), call)
      XCTAssertTrue(settle(Promise(onCancel: nil)), call)
      for (name, promise) in others {
        XCTAssertFalse(settle(promise), "\(call) on \(name)")
        if name != "a task" { XCTAssertTrue(promise.isPending, "\(call) on \(name)") }
      }
    }
    for (_, promise) in others { promise.cancel() }
    withExtendedLifetime(resolver) {}
  }

  // Spec: H11.4
  func testResolversAcceptTheArgumentsOfCallbacks() throws {
    func resolved<Value>(with result: Result<Value, Failure>) -> Promise {
      Promise { XCTAssertTrue($0.resolve(result)) }
    }
    let failure = Failure()
    XCTAssertEqual(try resolved(with: .success(7)).value(), 7)
    XCTAssertTrue(try resolved(with: Result<Int, Failure>.failure(failure)).reason() as? Failure === failure)
    XCTAssertEqual(try resolved(with: .success(Promise.resolved(8))).value(), 8, "a promise is followed")
    XCTAssertTrue(resolved(with: .success(nil as Int?)).isFulfilled)
    let erased: Any = Result<Int, Failure>.success(7)
    XCTAssertEqual(try Promise { $0.resolve(erased) }.value(as: Result<Int, Failure>.self).get(), 7)
  }

  // Spec: H11.4
  func testAClosureWithoutAResultMayReturnReject() {
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
  func testACallThatMakesThePromiseFollowReturnsTrue() {
    let other = Promise()
    let consumer = other.then { $0 }  // Keeps `other` pending.
    let functions = Log<DeferredThenable.Functions>()
    let ways: [(String, (Promise) -> Bool)] = [
      ("bind", { $0.bind(other) }),
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
  func testCancelOfASettledPromiseReturnsFalse() {
    let root = Promise.resolved(1, on: SteppedContext())
    let child = root.then { $0 }
    XCTAssertFalse(root.cancel("closed"), "the root is already fulfilled")
    XCTAssertTrue(root.isFulfilled)
    XCTAssertTrue(child.isCancelled, "the child is still cancelled")
    XCTAssertFalse(child.cancel())
  }

  /// The error text if a handler that expects a `V` receives `value`.
  private func text<V>(_ value: Any, as type: V.Type) throws -> String {
    "\(try Promise.resolved(value).then { (_: V) in () }.reason())"
  }

  // Spec: H2.4, H4.3
  func testATypeMismatchNamesBothTypes() throws {
    struct User {}
    let (one, other) = (try text("a string", as: User.self), try text("a string", as: [String: Int].self))
    XCTAssertTrue(one.contains("expected User") && one.contains("found String"), one)
    XCTAssertTrue(other.contains("expected Dictionary<String, Int>") && other.contains("found String"), other)
  }

  #if DEBUG
    // Spec: H4.6
    func testATypeMismatchNamesTheLineOfTheHandlerInDebugBuilds() throws {
      let child = Promise.resolved("text").then { (_: Int) in () }
      let line = #line - 1
      let text = "\(try child.reason())"
      XCTAssertTrue(text.contains("StateTests.swift:\(line)"), text)
    }
  #endif

  // Spec: H4.3
  func testAMismatchWithVoidAsksForAReturn() throws {
    let root = Promise(on: .immediate)
    let child = root.then { (_: Int) in () }.then { (number: Int) in number + 1 }
    root.fulfill(1)
    let text = "\(try child.reason())"
    XCTAssertTrue(text.contains("expected Int, found (); ") && text.contains("forget a return?"), text)
    let missing = Promise.resolved(nil, on: .immediate).then { (number: Int) in number }
    XCTAssertTrue("\(try missing.reason())".contains("expected Int, found nil"))
  }

  // Spec: H4.3
  func testAMismatchNamesTheWrongElement() throws {
    let text = { try self.text($0, as: [Int].self) } as (Any) throws -> String
    let mixed = "Array<Int>, found Array<Any>: element 2 is String"
    XCTAssertTrue(try text([1, 2, "three", 4.0] as [Any]).contains(mixed))
    XCTAssertTrue(try text([1.5]).contains("Array<Int>, found Array<Double>: element 0 is Double"))
    XCTAssertFalse(try text("no array").contains("element"))
    let ages = try self.text(["Ann": 1, "Bob": "two"] as [String: Any], as: [String: Int].self)
    XCTAssertTrue(ages.contains(": the value of \"Bob\" is String"))
  }

  // Spec: H2.4, H2.8
  func testEveryErrorHasAText() {
    let errors: [(PromiseError, holds: [String])] = [
      (.cycle, ["itself"]), (.rejected(reason: "why"), ["rejected", "why"]),
      (.cancelled(reason: "why"), ["cancelled", "why"]), (.timeout, ["timed out"]),
      (.wouldDeadlock, ["would deadlock", "return the promise", "then", "await"]),
      (.broken, ["broken", "can no longer be resolved"]),
      (.typeMismatch(expected: Int.self, found: String.self), ["Int", "String"]),
      (.noneFulfilled([PromiseError.rejected(reason: "first"), PromiseError.timeout]), ["2", "first"]),
      (.noneFulfilled([]), ["none"]),
    ]
    for (error, parts) in errors {
      for part in parts { XCTAssertTrue("\(error)".contains(part), "\(error) lacks \(part)") }
      XCTAssertEqual("\(error as any Error)", "\(error)")
    }
    XCTAssertEqual(Set(errors.map { "\($0.0)" }).count, errors.count)
  }
}
