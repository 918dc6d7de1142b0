// `onSuccess`, `onFail` and `onCancel` (H12).

import DynamicPromise
import DynamicPromiseDiagnostics
import TestSupport
import XCTest

/// State that is isolated to the main actor.
@MainActor private final class Screen { var lines: [String] = [] }

final class ObserverTests: LossTestCase {
  private let context = SteppedContext()

  /// Registers an observer of each kind. Returns a log of their calls.
  private func watch(_ promise: Promise) -> Log<String> {
    let heard = Log<String>()
    promise
      .onSuccess { heard.append("value \($0)") }
      .onFail { heard.append("reason \($0)") }
      .onCancel { _ in heard.append("cancelled") }
    return heard
  }

  // Spec: H12.1
  func testOneOfTheThreeObserversRuns() {
    let ways: [(expected: String, settle: (Promise) -> Void)] = [
      ("value 1", { $0.fulfill(1) }), ("reason rejected: no", { $0.reject("no") }),
      ("cancelled", { $0.cancel() }), ("cancelled", { $0.cancel(Failure()) }),
      ("cancelled", { $0.reject(CancellationError()) }),
    ]
    for (expected, settle) in ways {
      let promise = Promise(on: context)
      let early = watch(promise)
      settle(promise)
      let late = watch(promise)
      XCTAssertEqual(early.count + late.count, 0, "observers never run on this stack")
      context.drain()
      XCTAssertEqual(early.all, [expected])
      XCTAssertEqual(late.all, [expected])
      let isCancellation = expected == "cancelled"
      XCTAssertEqual(promise.isCancelled, isCancellation)
    }
  }

  // Spec: H12.1
  func testTypedObserversRunForTheirTypeOnly() {
    let heard = Log<String>()
    let value = Promise.resolved(7, on: context)
    value.onSuccess { (number: Int) in heard.append("\(number)") }
    value.onSuccess { (text: String) in heard.append(text) }
    value.onSuccess { heard.append("any value") }
    let failure = Failure("typed")
    let reason = Promise.rejected(failure, on: context)
    reason.onFail { (failure: Failure) in heard.append(failure.name) }
    reason.onFail { (error: PromiseError) in heard.append("\(error)") }
    reason.onFail { heard.append("any reason") }
    Promise.rejected("a text", on: context).onFail { (text: String) in heard.append(text) }
    let cancelled = Promise(on: context)
    cancelled.onCancel { heard.append("cancelled") }
    cancelled.cancel()
    context.drain()
    XCTAssertEqual(
      heard.all, ["7", "any value", "typed", "any reason", "a text", "cancelled"])
  }

  // Spec: H12.2
  func testObserversRunOnTheContextThatTheCallNames() {
    let other = SteppedContext()
    let heard = Log<String>()
    let promise = Promise(on: context)
    promise.onSuccess(on: other) { _ in heard.append("on the other") }
    promise.onSuccess { _ in heard.append("on the default") }
    promise.onSuccess(on: .immediate) { _ in heard.append("in place") }
    promise.fulfill(1)
    XCTAssertEqual(heard.all, ["in place"])
    context.drain()
    other.drain()
    XCTAssertEqual(heard.all, ["in place", "on the default", "on the other"])
  }

  // Spec: H12.2
  func testObserversAreScheduledInOrder() {
    let heard = Log<Int>()
    let promise = Promise(on: context)
    for number in 0..<10 { promise.onSuccess { _ in heard.append(number) } }
    promise.fulfill(1)
    for number in 10..<20 { promise.onSuccess { _ in heard.append(number) } }
    context.drain()
    XCTAssertEqual(heard.all, Array(0..<20))
  }

  // Spec: H12.3
  func testAStatementWithAnObserverRunsIt() {
    let (heard, freed, resolvers) = (Counter(), Counter(), Log<Resolver>())
    func load() -> Promise { Promise(on: context) { resolvers.append($0) } }
    do {
      let captured = Canary { freed.increment() }
      load().onSuccess { _ in
        heard.increment()
        _ = captured
      }
      load().onFail { _ in heard.increment() }
      load().onCancel { heard.increment() }
    }
    XCTAssertTrue(resolvers.all.allSatisfy { !$0.isAbandoned }, "an observer retains the promise")
    XCTAssertEqual(freed.value, 0)
    resolvers.all[0].fulfill(1)
    resolvers.all[1].reject("no")
    resolvers.all[2].reject(CancellationError())
    context.drain()
    XCTAssertEqual([heard.value, freed.value], [3, 1])
  }

  // Spec: H12.3
  func testObserversAreNotConsumers() {
    let heard = Counter()
    let target = Promise(on: context)
    target.onSuccess { _ in heard.increment() }
    target.onCancel { heard.increment() }
    Promise.resolved(target).cancel()
    XCTAssertTrue(target.isCancelled)
    context.drain()
    XCTAssertEqual(heard.value, 1)
  }

  // Spec: H12.4
  func testOnlyAnObserverOfTheReasonObservesTheRejection() {
    expect(1, "onSuccess") { failure, context in Promise.rejected(failure, on: context).onSuccess { _ in } }
    expect(1, "onCancel of a rejection") { failure, context in
      Promise.rejected(failure, on: context).onCancel { _ in }
    }
    expect(0, "onFail") { failure, context in Promise.rejected(failure, on: context).onFail { _ in } }
    expect(0, "onFail before the rejection") { failure, context in
      Promise(on: context).onFail { _ in }.reject(failure)
    }
    expect(1, "onFail for errors of another type") { failure, context in
      Promise.rejected(failure, on: context).onFail { (_: PromiseError) in }
    }
    expect(0, "onFail for errors of its type") { failure, context in
      Promise.rejected(failure, on: context).onFail { (_: Failure) in }
    }
    expect(1, "a child of a promise with onFail") { failure, context in
      Promise.rejected(failure, on: context).onFail { _ in }.then { $0 }
    }
  }

  // Spec: H6.10, L5.4
  func testATapDoesNotHandleTheRejection() {
    expect(1, "tapResult") { failure, context in
      Promise.rejected(failure, on: context).tapResult { _ in 0 }
    }
    expect(0, "tapResult and catch") { failure, context in
      Promise.rejected(failure, on: context).tapResult { _ in 0 }.catch { _ in 0 }
    }
  }
}
