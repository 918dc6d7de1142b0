// A handler is withdrawn if its child is cancelled before the handler has started (C9).

import Dispatch
import DynamicPromise
import XCTest

final class HandlerWithdrawalTests: XCTestCase {
  private let context = SteppedContext()

  /// Each subset of five handlers is withdrawn. The other handlers run in order.
  // Spec: C9.1
  func testWithdrawnHandlerNeverRuns() throws {
    let number = 5
    for isRejected in [false, true] {
      for gone in 0..<(1 << number) {
        let context = SteppedContext()
        let root = Promise(on: context)
        let order = Log<Int>()
        func add(_ index: Int) -> Promise {
          root.then({ _ in order.append(index) }, { _ in order.append(index) })
        }
        var children = (0..<number).map(add)
        for index in 0..<number where gone & (1 << index) != 0 { children[index].cancel() }
        children.append(add(number))
        if isRejected { root.reject(Failure()) } else { root.fulfill(0) }
        context.drain()
        let left = (0...number).filter { gone & (1 << $0) == 0 }
        XCTAssertEqual(order.all, left)
        for (index, child) in children.enumerated() {
          let isLeft = left.contains(index)
          XCTAssertEqual([child.isFulfilled, child.isCancelled], [isLeft, !isLeft])
        }
      }
    }
  }

  // Spec: C9.2
  func testHandlerWaitingInItsContextIsWithdrawn() throws {
    let root = Promise(on: context)
    let ran = Log<Int>()
    let children = (0..<3).map { index in root.then { _ in ran.append(index) } }
    root.fulfill(0)
    XCTAssertEqual(context.pendingJobs, 3)
    children[1].cancel()
    context.drain()
    XCTAssertEqual(ran.all, [0, 2])
    XCTAssertTrue(children[1].isCancelled)

    // A cancel of the settled parent also withdraws the handler.
    let late = root.then { _ in ran.append(3) }
    root.cancel()
    context.drain()
    XCTAssertTrue(late.isCancelled)
    XCTAssertEqual(ran.count, 2)
  }

  /// The root and its value are freed when the first handler has returned. The value's `deinit` cancels the
  /// second step, which `last` makes.
  private func cancelFromADeinit(
    _ root: some ExecutionContext, drain: () -> Void = {}, _ last: (Promise, Counter) -> Promise
  ) -> (end: Promise, ran: Int) {
    let (ran, over, letGo) = (Counter(), Event(), Event())
    let (end, resolver) = { () -> (Promise, Resolver) in
      let (root, resolver) = Promise.pending(on: root)
      // The handler waits until `fulfill` has returned, because that call retains the root.
      return (last(root.then { _ in letGo.wait() }, ran), resolver)
    }()
    end.finally { over.signal() }
    resolver.fulfill(Canary { end.cancel() })
    letGo.signal()
    drain()
    over.wait("the end")
    return (end, ran.value)
  }

  // Spec: C9.1
  func testAValueThatIsFreedBeforeTheNextHandlerMayWithdrawIt() throws {
    let (serial, stepped) = (DispatchQueue(label: "serial"), SteppedContext())
    let inherited = { (promise: Promise, ran: Counter) in promise.then { _ in ran.increment() } }
    let inPlace = { (promise: Promise, ran: Counter) in
      promise.thenOn(.immediate) { _ in ran.increment() }
    }
    for (end, ran) in [
      cancelFromADeinit(.shared, inherited), cancelFromADeinit(serial, inherited),
      cancelFromADeinit(stepped, drain: stepped.drain, inherited),
      cancelFromADeinit(stepped, drain: stepped.drain, inPlace),
    ] {
      XCTAssertTrue(end.isCancelled)
      XCTAssertEqual(ran, 0)
    }
  }

  /// The result of a `finally` body is freed after the child has settled, and before the next handler starts.
  /// The same holds for the value of a thenable that the body returns.
  // Spec: C9.1
  func testTheResultOfAFinallyMayWithdrawTheNextHandler() {
    let results: [@Sendable (Canary) -> Any] = [
      { $0 }, { canary in StructThenable { resolve, _ in resolve(canary) } },
    ]
    for result in results {
      let context = SteppedContext()
      let ran = Counter()
      let ends = Log<Promise>()
      let root = Promise(on: context)
      ends.append(
        root.finally { () -> Any in
          let cleanUp = ends.all[0]
          ends.append(cleanUp.catchOn(.immediate) { _ in ran.increment() })
          return result(Canary { cleanUp.cancel() })
        })
      root.reject(Failure())
      context.drain()
      XCTAssertEqual(ends.all.map(\.isCancelled), [false, true])
      XCTAssertEqual(ran.value, 0)
    }
  }

  /// The cancel frees an object whose `deinit` cancels the child before the child's clean-up starts.
  // Spec: C9.1
  func testACleanUpThatIsCancelledBeforeItBeginsIsWithdrawn() {
    let stepped = SteppedContext()
    for context in [stepped, .immediate] as [any ExecutionContext] {
      let ran = Counter()
      let (root, resolver) = Promise.pending(on: context)
      let cleanUp = root.catch { _ in ran.increment() }
      do {
        let canary = Canary { cleanUp.cancel() }
        resolver.onAbandon { withExtendedLifetime(canary) {} }
      }
      root.cancel()
      stepped.drain()
      XCTAssertTrue(cleanUp.isCancelled)
      XCTAssertEqual(ran.value, 0, "on \(context)")
    }
  }

  // Spec: C9.4
  func testAFinallyThatSuchAValueCancelsRunsAllTheSame() {
    let stepped = SteppedContext()
    let (end, ran) = cancelFromADeinit(stepped, drain: stepped.drain) { promise, ran in
      promise.finallyOn(.immediate) { ran.increment() }
    }
    XCTAssertTrue(end.isCancelled)
    XCTAssertEqual(ran, 1)
  }

  // Spec: C9.1
  func testTheSiblingsOfOneThatSuchAValueCancelsRun() {
    let (stepped, siblings) = (SteppedContext(), Counter())
    let (end, ran) = cancelFromADeinit(stepped, drain: stepped.drain) { promise, ran in
      let end = promise.thenOn(.immediate) { _ in ran.increment() }
      for _ in 0..<3 { promise.thenOn(.immediate) { _ in siblings.increment() } }
      return end
    }
    XCTAssertTrue(end.isCancelled)
    XCTAssertEqual(ran, 0)
    XCTAssertEqual(siblings.value, 3)
  }

  // Spec: C9.3
  func testWithdrawnHandlersCapturesAreFreedAtOnce() {
    for isScheduled in [false, true] {
      for isThroughTheRoot in [false, true] {
        let root = Promise(on: context)
        let freed = Counter()
        // A rejection handler would run if the cancel rejected the root.
        let isCaught = isScheduled || !isThroughTheRoot
        let child = {
          let (first, second) = (Canary { freed.increment() }, Canary { freed.increment() })
          return isCaught
            ? root.then({ _ in use(first) }, { _ in use(second) })
            : root.then { _ in use(first, use(second)) }
        }()
        if isScheduled { root.fulfill(0) }
        XCTAssertEqual(freed.value, 0)
        (isThroughTheRoot ? root : child).cancel()
        XCTAssertEqual(freed.value, 2, "scheduled: \(isScheduled), through the root: \(isThroughTheRoot)")
        XCTAssertTrue(child.isCancelled)
        XCTAssertEqual(root.isPending, !isScheduled && !isThroughTheRoot)
        context.dropAll()
      }
    }
  }

  // Spec: C9.4
  func testFinallyRunsWhenItsChildIsCancelled() throws {
    typealias Act = @Sendable (_ root: Promise, _ child: Promise) -> Void
    let fulfill: Act = { root, _ in root.fulfill(0) }
    let reject: Act = { root, _ in root.reject(Failure()) }
    let cancelRoot: Act = { root, _ in root.cancel() }
    let cancelChild: Act = { _, child in child.cancel() }
    let cases: [(String, [Act])] = [
      ("while the parent is pending", [cancelChild]),
      ("scheduled, through the child", [fulfill, cancelChild]),
      ("scheduled, through the parent", [fulfill, cancelRoot]),
      ("scheduled, of a rejected parent", [reject, cancelChild]),
      ("the parent is cancelled", [cancelRoot]),
      ("the parent settles afterwards", [cancelChild, fulfill]),
      ("the parent, then the child", [cancelRoot, cancelChild]),
    ]
    for (name, acts) in cases {
      let root = Promise(on: context)
      let (ran, freed) = (Counter(), Counter())
      let child = {
        let canary = Canary { freed.increment() }
        return root.finally { use(canary, ran.increment()) }
      }()
      for act in acts { act(root, child) }
      XCTAssertEqual(ran.value, 0, "the body does not run on the cancelling stack: \(name)")
      context.drain()
      XCTAssertEqual([ran.value, freed.value], [1, 1], name)
      XCTAssertTrue(child.isCancelled, name)
    }
  }

  // Spec: C9.4
  func testFinallyThatHasRunDoesNotRunAgain() {
    let root = Promise(on: context)
    let ran = Counter()
    let wait = Promise()
    let child = root.finally {
      ran.increment()
      return wait
    }
    root.fulfill(0)
    context.drain()
    XCTAssertTrue(child.isPending)
    child.cancel()
    context.drain()
    XCTAssertEqual(ran.value, 1)
    XCTAssertTrue(wait.isPending, "the promise that the body returned is not cancelled")
  }

  // Spec: C9.1, C9.2, C9.3, L1.5
  func testTheHandlerOfAChildThatFollowsAnotherPromiseIsWithdrawn() throws {
    for isScheduled in [false, true] {
      let (canaries, context) = (LiveCount(), SteppedContext())
      let (root, other) = (Promise(on: context), Promise())
      let ran = Counter()
      let child = {
        let canary = canaries.make()
        return root.then { _ in withExtendedLifetime(canary) { ran.increment() } }
      }()
      if isScheduled { root.fulfill(0) }
      child.bind(other)
      XCTAssertEqual(canaries.count, 1)
      child.cancel()
      assertCancelled([child, other])
      if !isScheduled {
        XCTAssertEqual(canaries.count, 0, "the captures are freed at once")
        root.fulfill(0)
      }
      context.drain()
      XCTAssertEqual(ran.value, 0)
    }
  }

  // Spec: C9.4
  func testAFinallyWhoseChildFollowsAnotherPromiseRunsWhenThatIsCancelled() throws {
    let root = Promise(on: .immediate)
    let ran = Counter()
    let child = root.finally { ran.increment() }
    child.bind(Promise())
    XCTAssertEqual(ran.value, 0)
    child.cancel()
    XCTAssertEqual(ran.value, 1)
    root.fulfill(0)
    XCTAssertEqual(ran.value, 1)
  }

  // Spec: C9.1
  func testACancellationOfTheOtherPromiseWithdrawsNothing() throws {
    let root = Promise(on: .immediate)
    let ran = Counter()
    let child = root.then { _ in ran.increment() }
    let other = Promise()
    child.bind(other)
    other.fulfill(1)
    XCTAssertEqual(try child.value(as: Int.self), 1)
    child.cancel()
    root.fulfill(0)
    XCTAssertEqual(ran.value, 1, "the parent's fulfillment runs the handler (2.2.2)")
  }
}
