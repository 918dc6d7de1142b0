// The resolution procedure in Swift (A2): cycles, thenables of every kind, errors, optionals and repeated
// resolutions.

import DynamicPromise
import XCTest

final class ResolutionTests: XCTestCase {
  private func assertCycle(_ promise: Promise, _ what: String = "", line: UInt = #line) throws {
    let reason = try promise.reason()
    guard case PromiseError.cycle = reason else { return XCTFail("\(what) \(reason)", line: line) }
  }

  // Spec: A2.1
  func testCyclesOfAdoptions() throws {
    for length in [1, 2, 3, 10, 500] {
      let forwards = Array(0..<length)
      let evenFirst = forwards.filter { $0 % 2 == 0 } + forwards.filter { $0 % 2 == 1 }
      for order in [forwards, forwards.reversed(), evenFirst] {
        let promises = (0..<length).map { _ in Promise() }
        let outsider = Promise()
        for index in order {
          promises[index].resolve(promises[(index + 1) % length])
          if index == length / 2 { outsider.resolve(promises[index]) }
        }
        for promise in promises + [outsider] {
          try assertCycle(promise, "length \(length), \(order.prefix(3))")
          XCTAssertFalse(promise.isCancelled)
        }
      }
    }
  }

  // Spec: A2.1
  func testCycleClosedByBindAndByAThenable() throws {
    let (first, second) = (Promise(), Promise())
    first.bind(second)
    second.resolve(StructThenable { resolve, _ in resolve(first) })
    let alone = Promise()
    alone.resolve(StructThenable { resolve, _ in resolve(alone) })
    for promise in [first, second, alone] { try assertCycle(promise) }
  }

  // Spec: A2.1
  func testHandlerThatReturnsItsOwnChild() throws {
    let context = SteppedContext()
    let root = Promise(on: context)
    let own = Log<Promise>()
    let child = root.then { _ in own.all[0] }
    own.append(child)
    let below = child.then { $0 }
    root.fulfill(1)
    context.drain()
    for promise in [child, below] { try assertCycle(promise) }
  }

  // Spec: A2.6
  func testThenablesOfEveryKindOfType() throws {
    let thenables: [any Thenable] = [
      StructThenable { resolve, _ in resolve("value") }, EnumThenable.one, ClassThenable(),
      SubclassThenable(),
    ]
    for thenable in thenables {
      XCTAssertEqual(try Promise.resolved(thenable).value(), "value", "\(thenable)")
      let step = Promise(on: .immediate)
      let boxed = UncheckedValue(thenable)
      let child = step.then { _ in boxed.value }
      step.fulfill(0)
      XCTAssertEqual(try child.value(), "value", "\(thenable), returned by a handler")
    }
    let inert = ClassThenable(inert: true)
    XCTAssertTrue(try Promise.resolved(inert).value(as: ClassThenable.self) === inert)
  }

  // Spec: A2.7, A2.8
  func testErrorsRejectUnlessThenable() throws {
    let failure = Failure()
    XCTAssertTrue(try Promise.resolved(failure).reason() as? Failure === failure)
    XCTAssertEqual(try Promise.resolved(ThenableError(value: "inside")).value(), "inside")
    // As a reason, a thenable error is treated like any other error.
    let reason = try Promise.rejected(ThenableError(value: "inside")).reason()
    XCTAssertEqual((reason as? ThenableError)?.value, "inside")
    // If a thenable resolves with an error, the promise is rejected. A thenable's reason is not resolved
    // further.
    let resolves = StructThenable { resolve, _ in resolve(failure) }
    XCTAssertTrue(try Promise.resolved(resolves).reason() as? Failure === failure)
    let rejects = StructThenable { _, reject in reject(ThenableError(value: "inside")) }
    XCTAssertEqual((try Promise.resolved(rejects).reason() as? ThenableError)?.value, "inside")
    let caught = Promise(on: .immediate)
    let child = caught.then { _ -> any Error in ThenableError(value: "returned") }
    caught.fulfill(0)
    XCTAssertEqual(try child.value(), "returned")
  }

  // Spec: A2.9
  func testOptionalsAreLookedThrough() throws {
    let promise = Promise.resolved("value")
    let failure = Failure()
    let thenable = StructThenable { resolve, _ in resolve("value") }
    let anyInOptional: Any? = promise
    let deep: Any = Optional(Optional(anyInOptional as Any) as Any) as Any
    for x: Any in [
      Optional(promise) as Any, Optional(Optional(promise)) as Any, anyInOptional as Any, deep,
      Optional(thenable) as Any, Optional(thenable as any Thenable) as Any,
    ] {
      XCTAssertEqual(try Promise.resolved(x).value(), "value", "\(type(of: x))")
    }
    let optionalError: (any Error)? = failure
    for x: Any in [Optional(failure) as Any, optionalError as Any, Optional(optionalError as Any) as Any] {
      XCTAssertTrue(try Promise.resolved(x).reason() as? Failure === failure, "\(type(of: x))")
    }
    // The type is compared, because a cast to `Int` also unwraps.
    let optionals: [Any] = [Optional(7) as Any, Optional(Optional(7)) as Any, Optional(7 as Any) as Any]
    for x in optionals {
      let value = try Promise.resolved(x).outcome().get()
      XCTAssertTrue(type(of: value) == Int.self, "\(type(of: x)): \(type(of: value))")
      let unchanged = Promise()
      unchanged.fulfill(x)
      XCTAssertTrue(type(of: try unchanged.outcome().get()) == type(of: x))
    }
  }

  // Spec: A2.10
  func testThenableRunsOnTheResolvingStack() throws {
    let trail = Log<String>()
    @Sendable func thenable(_ name: String) -> Tracing {
      Tracing(
        onGet: { trail.append("\(name) get \(Stack.marker)") },
        onCall: { trail.append("\(name) call \(Stack.marker)") })
    }
    let byHand = Promise()
    Stack.mark("resolve") { byHand.resolve(thenable("hand")) }
    let resolver: Resolver
    let promise: Promise
    (promise, resolver) = Promise.pending()
    Stack.mark("resolver") { resolver.resolve(thenable("resolver")) }
    XCTAssertEqual(
      trail.all, ["hand get resolve", "hand call resolve", "resolver get resolver", "resolver call resolver"])
    XCTAssertTrue(promise.isFulfilled)

    // A thenable that a handler returns runs in the handler's job.
    let context = SteppedContext()
    let root = Promise(on: context)
    let child = root.then { _ in thenable("handler") }
    Stack.mark("fulfill") { root.fulfill(0) }
    XCTAssertEqual(trail.count, 4)
    Stack.mark("job") { context.drain() }
    XCTAssertEqual(Array(trail.all.dropFirst(4)), ["handler get job", "handler call job"])
    XCTAssertTrue(child.isFulfilled)
  }

  // Spec: A2.11
  func testLaterResolutionsOfALockedInPromiseAreIgnored() throws {
    let reads = Counter()
    let calls: [@Sendable (Promise) -> Void] = [
      { $0.fulfill("late") }, { $0.reject(Failure("late")) }, { $0.resolve("late") },
      { $0.resolve(Promise.resolved("late")) }, { $0.bind(Promise.rejected(Failure("late"))) },
      { $0.resolve(Tracing(onGet: { reads.increment() }, onCall: {})) }, { $0.resolve($0) },
    ]
    for (number, call) in calls.enumerated() {
      let adopted = Promise()
      let adopter = Promise()
      adopter.resolve(adopted)
      call(adopter)
      XCTAssertTrue(adopter.isPending, "call \(number)")
      adopted.fulfill("first")
      XCTAssertEqual(try adopter.value(), "first", "call \(number)")

      let functions = Log<@Sendable (Any) -> Void>()
      let waiting = Promise()
      waiting.resolve(StructThenable { resolve, _ in functions.append(resolve) })
      call(waiting)
      XCTAssertTrue(waiting.isPending, "call \(number), behind a thenable")
      functions.all[0]("first")
      XCTAssertEqual(try waiting.value(), "first", "call \(number), behind a thenable")
    }
    XCTAssertEqual(reads.value, 0, "the getter of an ignored thenable is not read")
  }

  // Spec: A2.11, C4.5, H1.8
  func testWhatIsIgnoredAfterTheAdoptionOfACancelledPromiseIsNotCancelled() {
    let cancelled = Promise()
    cancelled.cancel()
    let adopter = Promise()
    adopter.bind(cancelled)
    XCTAssertTrue(adopter.isCancelled)
    let later = Promise()
    adopter.bind(later)
    XCTAssertTrue(later.isPending)
  }
}
