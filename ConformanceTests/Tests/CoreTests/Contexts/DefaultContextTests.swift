// Tests of the process-wide default context (X1.7, X1.8). Each test restores the previous context.

import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class DefaultContextTests: XCTestCase {
  private static let former = Promise.defaultContext

  override func setUp() { _ = Self.former }

  override func tearDown() { Promise.defaultContext = Self.former }

  /// Registers a handler on `promise`, settles the promise, and counts the jobs that the context receives.
  private func jobs(of context: SteppedContext, from promise: Promise) -> Int {
    context.drain()
    promise.then({ _ in }, { _ in })
    if promise.isPending { promise.fulfill(1) }
    defer { context.drain() }
    return context.pendingJobs
  }

  // Spec: X1.7, X1.8
  func testRootsTakeIt() throws {
    let context = SteppedContext()
    Promise.defaultContext = context
    let kept = Log<Resolver>()
    let pending = Promise.pending()
    kept.append(pending.resolver)
    let asynchronous = Promise { () async in 1 }
    // Its task settles it on another thread, which would schedule the handlers too late for `jobs`.
    _ = asynchronous.outcome()
    for (name, root) in [
      ("init()", Promise()), ("onCancel", Promise(onCancel: nil)), ("pending", pending.promise),
      ("body", Promise { kept.append($0) }), ("resolved", .resolved(1)), ("rejected", .rejected("no")),
      ("async", asynchronous), ("inherited", Promise(on: .inherited)),
      ("current", Promise(on: .current)),
    ] {
      XCTAssertEqual(jobs(of: context, from: root), 1, name)
      XCTAssertEqual(jobs(of: context, from: root.then { $0 }), 1, "a child of \(name)")
    }
    let task = Promise.task { Stack.marker }
    XCTAssertEqual(context.pendingJobs, 1)
    Stack.mark("default") { context.drain() }
    XCTAssertEqual(try task.value(), "default")
  }

  // Spec: X1.7
  func testTreesThatExistKeepTheirs() {
    let (before, named, after) = (SteppedContext(), SteppedContext(), SteppedContext())
    Promise.defaultContext = before
    let root = Promise()
    let other = Promise(on: named)
    Promise.defaultContext = after
    root.then { _ in }.then { _ in }
    other.then { _ in }
    root.fulfill(1)
    other.fulfill(1)
    XCTAssertEqual([before, named, after].map(\.pendingJobs), [1, 1, 0])
    before.step()
    XCTAssertEqual([before, named, after].map(\.pendingJobs), [1, 1, 0], "the grandchild keeps `before`")
    before.drain()
    named.drain()
  }

  // Spec: X1.7, X1.6
  func testCombinatorsTakeItUnlessTheirInputsHaveAnother() {
    let context = SteppedContext()
    Promise.defaultContext = context
    let own = SteppedContext()
    let combinators: [(String, ([Any]) -> Promise)] = [
      ("all", { Promise.all($0) }), ("allSettled", { Promise.allSettled($0) }), ("any", { Promise.any($0) }),
      ("race", { Promise.race($0) }), ("sequence", { Promise.sequence($0) { $0 } }),
    ]
    for (name, combine) in combinators {
      let result = combine([1, Countdown(0)])
      context.drain()
      XCTAssertTrue(result.isSettled, name)
      XCTAssertEqual(jobs(of: context, from: result), 1, name)
      XCTAssertEqual(jobs(of: context, from: combine([])), 1, "\(name) without inputs")

      let inherited = combine([own.settled(1)])
      own.drain()
      XCTAssertTrue(inherited.isSettled, name)
      XCTAssertEqual(jobs(of: own, from: inherited), 1, name)
      XCTAssertEqual(context.pendingJobs, 0, name)
    }
    let loop = Promise.repeat { nil }
    XCTAssertEqual(context.pendingJobs, 1, "the body of the loop")
    context.drain()
    XCTAssertEqual(jobs(of: context, from: loop), 1, "repeat")
  }

  // Spec: X1.7, X1.6
  func testTimersRunOnItsClock() {
    let clock = TestContext()
    Promise.defaultContext = clock
    let delayed = Promise.delay(3600, "late")
    let limited = Promise().setTimeout(7200)
    XCTAssertEqual(clock.pendingTimers, 2)
    clock.advance(by: 3600)
    XCTAssertTrue(delayed.isFulfilled)
    XCTAssertTrue(limited.isPending)
    clock.advance(by: 3600)
    XCTAssertTrue(limited.isRejected)
    delayed.then { _ in }
    XCTAssertEqual(clock.pendingJobs, 1)
    clock.drain()
  }

  // Spec: X1.7
  func testItIsReadBackAndTakenBack() throws {
    XCTAssertTrue(Promise.defaultContext is DefaultContext)
    let queue = DispatchQueue(label: "default")
    for (context, matches): (any ExecutionContext, (any ExecutionContext) -> Bool) in [
      (queue, { ($0 as? DispatchQueue) === queue }),
      (DispatchQueue.main, { ($0 as? DispatchQueue)?.label == DispatchQueue.main.label }),
      (DispatchQueue.global(), { ($0 as? DispatchQueue)?.label == DispatchQueue.global().label }),
      (ImmediateContext(), { $0 is ImmediateContext }),
      (MainImmediateContext(), { $0 is MainImmediateContext }),
      (SteppedContext(), { $0 is SteppedContext }),
      (DefaultContext(), { $0 is DefaultContext }),
    ] {
      Promise.defaultContext = context
      XCTAssertTrue(matches(Promise.defaultContext), "\(context)")
    }
    Promise.defaultContext = .immediate
    XCTAssertTrue(Promise.resolved(1).then { _ in }.isFulfilled)
    for standIn: any ExecutionContext in [InheritedContext(), CurrentContext()] {
      Promise.defaultContext = SteppedContext()
      Promise.defaultContext = standIn
      XCTAssertTrue(Promise.defaultContext is DefaultContext, "\(standIn)")
      XCTAssertEqual(try Promise.resolved(1).then { $0 }.value(), 1)
    }
    // Inside a handler, `.current` is stored as the context of that handler.
    let set = Promise.resolved(1).thenOn(queue) { _ in
      Promise.defaultContext = .current
      return Promise.defaultContext as? DispatchQueue
    }
    XCTAssertTrue(try set.value(as: DispatchQueue.self) === queue)
  }

  // Spec: X1.7
  func testAFormerOneIsReleasedWithNothingLocked() {
    let seen = Log<Bool>()
    var context: WatchedContext? = WatchedContext(
      Canary {
        Promise.defaultContext = .shared
        seen.append(Promise.resolved(1).isFulfilled)
      })
    let reference = WeakReference(context!)
    Promise.defaultContext = context!
    context = nil
    XCTAssertNotNil(reference.object)
    Promise.defaultContext = .immediate
    XCTAssertNil(reference.object)
    XCTAssertEqual(seen.all, [true])
    XCTAssertTrue(Promise.defaultContext is DefaultContext)
  }

  // Spec: X1.7
  func testItIsSetFromManyThreadsAtOnce() {
    for _ in 0..<50 {
      DispatchQueue.concurrentPerform(iterations: 4) { worker in
        for round in 0..<20 {
          switch (worker + round) % 4 {
          case 0: Promise.defaultContext = .shared
          case 1: Promise.defaultContext = WatchedContext(Canary())
          case 2: XCTAssertNotNil(Promise.defaultContext as (any ExecutionContext)?)
          default: XCTAssertTrue(Promise.resolved(round).isFulfilled)
          }
        }
      }
    }
  }

  // Spec: X1.8
  func testInheritedIsThePromisesOwnElsewhere() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let children = [
      root.thenOn(.inherited) { _ in }, root.catchOn(.inherited) { _ in }, root.finallyOn(.inherited) {},
    ]
    root.reject("no")
    XCTAssertEqual(context.pendingJobs, 2)
    context.drain()
    XCTAssertTrue(children.allSatisfy(\.isSettled))
  }
}

/// Runs jobs in place. Its canary reports when the context is freed.
private final class WatchedContext: ExecutionContext {
  private let canary: Canary

  init(_ canary: Canary) { self.canary = canary }

  func execute(_ job: @escaping @Sendable () -> Void) { job() }
}
