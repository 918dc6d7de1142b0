// The resolution procedure (A2, H10.4).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class ResolutionTests: XCTestCase {
  /// Every place that accepts a thenable. The promise settles with the thenable's outcome.
  private static let entries: [(name: String, run: @Sendable (Hostile) -> Promise)] = [
    ("resolved", { .resolved($0) }),
    ("resolve", { Promise().decided(with: $0) }),
    ("handler", { thenable in Promise.resolved(0).thenOn(.immediate) { _ in thenable } }),
    ("async", { thenable in Promise { () async in thenable } }),
    ("thenable", { thenable in .resolved(Hostile { resolve, _ in resolve(thenable) }) }),
    ("race", { thenable in .race([thenable]) }),
    ("sequence task", { thenable in first(of: .sequence([0], on: .immediate) { _ in thenable }) }),
  ]

  private func assertCycle(_ promise: Promise, _ what: String = "", line: UInt = #line) throws {
    let reason = try promise.reason()
    guard case PromiseError.cycle = reason else { return XCTFail("\(what) \(reason)", line: line) }
  }

  // Spec: A2.1
  func testCyclesOfFollowers() throws {
    for length in [1, 2, 3, 500] {
      for order in [Array(0..<length), (0..<length).reversed()] {
        let (promises, outsider) = ((0..<length).map { _ in Promise() }, Promise())
        outsider.resolve(promises[0])
        for index in order { promises[index].resolve(promises[(index + 1) % length]) }
        for promise in promises + [outsider] { try assertCycle(promise, "length \(length)") }
      }
    }
  }

  // Spec: A2.1
  func testACycleThroughBindAndAThenable() throws {
    let (first, second) = (Promise(), Promise())
    first.bind(second)
    second.resolve(StructThenable { resolve, _ in resolve(first) })
    let alone = Promise()
    alone.resolve(StructThenable { resolve, _ in resolve(alone) })
    for promise in [first, second, alone] { try assertCycle(promise) }
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
  func testAnErrorRejectsUnlessItIsAThenable() throws {
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
  func testOptionalsAreUnwrapped() throws {
    let promise = Promise.resolved("value")
    let failure = Failure()
    let thenable = StructThenable { resolve, _ in resolve("value") }
    let anyInOptional: Any? = promise
    let deep: Any = Optional(Optional(anyInOptional as Any) as Any) as Any
    for x: Any in [
      Optional(promise) as Any, Optional(Optional(promise)) as Any, anyInOptional as Any, deep,
      Optional(thenable) as Any, Optional(thenable as any Thenable) as Any,
    ] { XCTAssertEqual(try Promise.resolved(x).value(), "value", "\(type(of: x))") }
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
  func testAThenableRunsOnTheResolvingStack() throws {
    let trail = Log<String>()
    let thenable = Tracing(
      onGet: { trail.append("get \(Stack.marker)") }, onCall: { trail.append("call \(Stack.marker)") })
    let (promise, resolver) = Promise.pending()
    Stack.mark("resolver") { resolver.resolve(thenable) }
    XCTAssertTrue(promise.isFulfilled)
    // A thenable that a handler returns runs in the handler's job.
    let context = SteppedContext()
    let child = context.settled(0).then { _ in thenable }
    Stack.mark("job") { context.drain() }
    XCTAssertTrue(child.isFulfilled)
    XCTAssertEqual(trail.all, ["get resolver", "call resolver", "get job", "call job"])
  }

  // Spec: A2.11
  func testLaterResolutionsAreIgnored() throws {
    let reads = Counter()
    let calls: [@Sendable (Promise) -> Void] = [
      { $0.fulfill("late") }, { $0.reject(Failure("late")) }, { $0.resolve(Promise.resolved("late")) },
      { $0.resolve(Tracing(onGet: { reads.increment() }, onCall: {})) }, { $0.resolve($0) },
    ]
    for (number, call) in calls.enumerated() {
      let (followed, functions) = (Promise(), Log<DeferredThenable.Functions>())
      let promises = [followed.follower(), Promise().decided(with: DeferredThenable(functions))]
      for promise in promises {
        call(promise)
        XCTAssertTrue(promise.isPending, "call \(number)")
      }
      followed.fulfill("first")
      functions.all[0].resolve("first")
      for promise in promises { XCTAssertEqual(try promise.value(), "first", "call \(number)") }
    }
    XCTAssertEqual(reads.value, 0, "the getter of an ignored thenable is not read")
  }

  private typealias Function = @Sendable (Any) -> Void

  private typealias Method = @Sendable (@escaping Function, @escaping Function) throws -> Void

  private final class Hostile: Thenable, Sendable {
    private let getter: @Sendable () throws -> Void
    private let method: Method

    init(getter: @escaping @Sendable () throws -> Void = {}, _ method: @escaping Method) {
      self.getter = getter
      self.method = method
    }

    var then: ThenMethod? {
      get throws {
        try getter()
        return method
      }
    }
  }

  private static func first(of values: Promise) -> Promise { values.thenOn(.immediate) { ($0 as! [Any])[0] } }

  // Spec: H10.4
  func testOnlyTheFirstCallOfAThenableCounts() throws {
    for (name, enter) in Self.entries {
      let failure = Failure(name)
      let value = enter(
        Hostile { resolve, reject in
          resolve("first")
          resolve("second")
          reject(failure)
          throw failure
        })
      XCTAssertEqual(try value.value(as: String.self), "first", name)
      let reason = enter(
        Hostile { resolve, reject in
          reject(failure)
          reject(Failure("second"))
          resolve("second")
          throw Failure("third")
        })
      XCTAssertTrue(try reason.reason() as? Failure === failure, name)
      let late = Log<Function>()
      let thrown = enter(
        Hostile { resolve, _ in
          late.append(resolve)
          throw failure
        })
      XCTAssertTrue(try thrown.reason() as? Failure === failure, name)
      late.all[0]("late")
      XCTAssertTrue(thrown.isRejected, name)
      let unread = enter(Hostile(getter: { throw failure }, { _, _ in XCTFail("called") }))
      XCTAssertTrue(try unread.reason() as? Failure === failure, name)
    }
  }

  // Spec: A2.2, H10.4
  func testAThenableMayCallFromAnotherThread() throws {
    for (name, enter) in Self.entries {
      let value = enter(
        Hostile { resolve, reject in
          DispatchQueue.global().async {
            resolve("elsewhere")
            reject("late")
          }
        })
      XCTAssertEqual(try value.value(as: String.self), "elsewhere", name)
      let contested = enter(
        Hostile { resolve, _ in DispatchQueue.concurrentPerform(iterations: 4) { resolve($0) } })
      XCTAssertTrue((0..<4).contains(try contested.value(as: Int.self)), name)
    }
  }

  // Spec: H10.4, L2.7
  func testAThenableThatNeverCallsBreaksThePromiseWhenItIsReleased() throws {
    for (name, enter) in Self.entries {
      let asked = Event()
      let functions = Hold(Log<Function>())
      let promise = enter(
        Hostile { resolve, reject in
          functions.with { held in
            held.append(resolve)
            held.append(reject)
          }
          asked.signal()
        })
      asked.wait(name)
      XCTAssertTrue(promise.isPending, name)
      functions.drop()
      guard case PromiseError.broken = try promise.reason() else { return XCTFail("\(name): \(promise)") }
    }
  }
}
