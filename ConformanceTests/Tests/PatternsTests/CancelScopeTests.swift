import DynamicPromise
import DynamicPromisePatterns
import TestSupport
import XCTest

final class CancelScopeTests: XCTestCase {
  func testOneCancelForAll() throws {
    let (scope, log) = (CancelScope(), Recorded<[Int]>([]))
    let promises = (0..<3).map { number in
      let promise = scope.add(Promise(on: .immediate))
      promise.catch { _ in log.append(number) }
      return promise
    }
    let other = Promise()
    XCTAssertFalse(scope.isCancelled)
    scope.cancel("enough")
    XCTAssertTrue(scope.isCancelled && promises.allSatisfy(\.isCancelled) && other.isPending)
    XCTAssertEqual(log.value, [0, 1, 2])
    guard case .cancelled(let why as String) = try reason(of: promises[0], as: PromiseError.self) else {
      return XCTFail("\(promises[0])")
    }
    XCTAssertEqual(why, "enough")
  }

  func testReasons() throws {
    let (scope, other) = (CancelScope(), CancelScope())
    let (promise, second) = (scope.add(Promise()), other.add(Promise()))
    scope.cancel()
    XCTAssertTrue(try reason(of: promise, as: CancellationError.self).isCancellation)
    for number in 1...2 { other.cancel(NumberedError(number)) }
    XCTAssertEqual(try reason(of: second), NumberedError(1))
    XCTAssertEqual(try reason(of: other.add(Promise())), NumberedError(1), "the first reason is kept")
  }

  func testTheEndOfAChain() {
    let (scope, root, told) = (CancelScope(), Promise(), Recorded(false))
    func load() -> Promise { root.then { $0 }.then { $0 } }
    let shown = scope.add(load()).thenOn(.immediate) { $0 }
    shown.catchOn(.immediate) { _ in told.change { $0 = true } }
    scope.cancel()
    XCTAssertTrue(root.isCancelled && shown.isCancelled)
    XCTAssertTrue(told.value)
  }

  func testWhatHasOtherConsumersContinues() {
    for isMember in [false, true] {
      let (scope, root) = (CancelScope(), Promise())
      let other = root.then { $0 }
      let member = scope.add(root.then { $0 })
      if isMember { scope.add(other) }
      scope.cancel()
      XCTAssertTrue(member.isCancelled)
      XCTAssertEqual(root.isCancelled, isMember, "cancelled only if both consumers are members")
      XCTAssertEqual(other.isPending, !isMember)
    }
  }

  func testASettledMember() {
    let (scope, source) = (CancelScope(), Promise())
    let fulfilled = scope.add(Promise.resolved(1))
    let below = fulfilled.then { _ in source }
    scope.cancel()
    XCTAssertTrue(fulfilled.isFulfilled && !fulfilled.isCancelled)
    XCTAssertTrue(below.isCancelled)
  }

  func testLateMembers() {
    let (scope, root) = (CancelScope(), Promise())
    scope.cancel()
    XCTAssertTrue(scope.isCancelled, "a scope without members can be cancelled")
    let member = scope.add(root.then { $0 })
    XCTAssertTrue(member.isCancelled && root.isCancelled)
    XCTAssertTrue(scope.add(Promise.resolved(1)).isFulfilled)
  }

  func testMembersAddedDuringTheCancel() {
    let (scope, first) = (CancelScope(), Promise(on: .immediate))
    let late = Recorded<Promise?>(nil)
    scope.add(first).catch { _ in late.change { $0 = scope.add(Promise()) } }
    scope.cancel()
    XCTAssertEqual(late.value?.isCancelled, true)
  }

  func testItRetainsNothing() {
    let (scope, abandoned) = (CancelScope(), Recorded(0))
    for _ in 0..<1000 {
      scope.add(Promise(onCancel: nil, onAbandon: { abandoned.change { $0 += 1 } }))
    }
    XCTAssertEqual(abandoned.value, 1000)
    let object: WeakReference<CancelScope>
    let promise = Promise()
    do {
      let scope = CancelScope()
      scope.add(promise)
      object = WeakReference(scope)
    }
    XCTAssertNil(object.object)
    XCTAssertTrue(promise.isPending, "releasing the scope does not cancel its members")
    scope.cancel()
  }

  func testAmongManyFreedPromises() {
    let scope = CancelScope()
    var stay: [Promise] = []
    for number in 0..<10_000 {
      let promise = scope.add(Promise())
      if number % 100 == 0 { stay.append(promise) }
    }
    scope.cancel()
    XCTAssertTrue(stay.count == 100 && stay.allSatisfy(\.isCancelled))
  }

  func testNestedScopes() throws {
    let outer = CancelScope()
    let (inner, sibling) = (CancelScope(in: outer), CancelScope(in: outer))
    let (one, two, three) = (inner.add(Promise()), sibling.add(Promise()), outer.add(Promise()))
    inner.cancel(NumberedError(1))
    XCTAssertTrue(one.isCancelled && two.isPending && three.isPending)
    XCTAssertFalse(outer.isCancelled || sibling.isCancelled)
    outer.cancel(NumberedError(2))
    XCTAssertTrue(two.isCancelled && three.isCancelled && sibling.isCancelled)
    XCTAssertEqual(try reason(of: one), NumberedError(1))
    XCTAssertEqual(try reason(of: inner.add(Promise())), NumberedError(1), "the reason of the inner scope")
    XCTAssertEqual(try reason(of: sibling.add(Promise())), NumberedError(2))
    XCTAssertTrue(CancelScope(in: outer).isCancelled)
  }

  func testAFreedInnerScope() {
    let (outer, promise) = (CancelScope(), Promise())
    do {
      let inner = CancelScope(in: outer)
      inner.add(promise)
    }
    outer.cancel()
    XCTAssertTrue(promise.isCancelled)
  }

  func testDeepNesting() {
    let promise = Promise()
    onSmallStack {
      let outer = CancelScope()
      var inner = outer
      for _ in 0..<100_000 { inner = CancelScope(in: inner) }
      inner.add(promise)
      outer.cancel()
      XCTAssertTrue(promise.isCancelled && inner.isCancelled)
    }
  }

  func testAddingWhileItIsCancelled() {
    for _ in 0..<raceRounds(2000) {
      let outer = CancelScope()
      let inner = CancelScope(in: outer)
      let promises = (0..<4).map { _ in Promise() }
      together(
        { for promise in promises[..<2] { inner.add(promise) } },
        { for promise in promises[2...] { outer.add(promise) } },
        { outer.cancel() },
        { inner.cancel() })
      XCTAssertTrue(promises.allSatisfy(\.isCancelled))
    }
  }

  func testWhatASettledMemberWaitedForIsLeftAlone() {
    let (scope, root, lost) = (CancelScope(), Promise(on: .immediate), Recorded<[String]>([]))
    let previous = Promise.onUnhandledRejection
    Promise.onUnhandledRejection = { loss in lost.append("\(loss)") }
    defer { Promise.onUnhandledRejection = previous }
    let member = scope.add(root.then { $0 })
    root.catch { _ in }
    member.cancel()
    let fallback = Promise(on: .immediate)
    let load = Promise.rejected(NumberedError(1), on: .immediate)
    scope.add(load.catch { _ in "default" })
    let slow = scope.add(load.catch { _ in fallback })
    scope.cancel()
    XCTAssertTrue(root.isPending && slow.isCancelled && fallback.isCancelled)
    XCTAssertEqual(lost.value, [])
  }
}
