// The default context of a tree, and of the process (X1.4 to X1.8).

import Dispatch
import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class DefaultContextTests: XCTestCase {
  private static let former = Promise.defaultContext

  // Spec: X1.4
  func testChildrenInheritTheDefaultContext() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let trail = Log<String>()
    @Sendable func note(_ name: String) { trail.append("\(name) \(Stack.marker)") }
    let end = root.then { _ in note("then") }.then({ _ in throw Failure() }, { _ in })
      .catch { _ in note("catch") }.finally { note("finally") }
    root.fulfill(0)
    Stack.mark("stepped") { context.drain() }
    XCTAssertEqual(trail.all, ["then stepped", "catch stepped", "finally stepped"])
    end.then { _ in note("late") }
    Stack.mark("stepped") { context.drain() }
    XCTAssertEqual(trail.all.last, "late stepped")
  }

  // Spec: X1.5
  func testThenOnDoesNotChangeTheDefaultContext() {
    let (inherited, named) = (SteppedContext(), SteppedContext())
    let (root, failing) = (inherited.settled(0), inherited.broken())
    let children = [
      root.thenOn(named) { _ in }, root.thenOn(named, { _ in }, { _ in }), root.finallyOn(named) {},
      failing.catchOn(named) { _ in },
    ]
    for child in children { child.then { _ in } }
    XCTAssertEqual([inherited.pendingJobs, named.pendingJobs], [0, 4])
    named.drain()
    XCTAssertEqual([inherited.pendingJobs, named.pendingJobs], [4, 0])
    inherited.drain()
  }

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
  func testNewRootsTakeTheDefaultContextOfTheProcess() throws {
    let context = SteppedContext()
    Promise.defaultContext = context
    let pending = Promise.pending()
    pending.resolver.fulfill(1)
    let asynchronous = Promise { () async in 1 }
    // Its task settles it on another thread, which would schedule the handlers too late for `jobs`.
    _ = asynchronous.outcome()
    for (name, root) in [
      ("init()", Promise()), ("onCancel", Promise(onCancel: nil)), ("pending", pending.promise),
      ("body", Promise { $0.fulfill(1) }), ("resolved", .resolved(1)), ("rejected", .rejected("no")),
      ("async", asynchronous), ("nil", Promise(on: nil)),
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
  func testExistingTreesKeepTheirContext() {
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

  // Spec: X1.8
  func testNilMeansTheDefaultContextOfThePromise() {
    let context = SteppedContext()
    let root = Promise(on: context)
    let children = [
      root.thenOn(nil) { _ in }, root.catchOn(nil) { _ in }, root.finallyOn(nil) {},
    ]
    root.reject("no")
    XCTAssertEqual(context.pendingJobs, 2)
    context.drain()
    XCTAssertTrue(children.allSatisfy(\.isSettled))
  }
}
