// A cancel withdraws handlers that have not started; the body of a `finally` still runs (C9).

import Dispatch
import DynamicPromise
import XCTest

final class HandlerWithdrawalTests: XCTestCase {
  private let context = SteppedContext()

  /// Each subset of five handlers is withdrawn. The other handlers run in order.
  // Spec: C9.1
  func testAWithdrawnHandlerNeverRuns() throws {
    let number = 5
    for isRejected in [false, true] {
      for gone in 0..<(1 << number) {
        let (root, order) = (Promise(on: context), Log<Int>())
        let children = (0..<number).map { index in
          root.then({ _ in order.append(index) }, { _ in order.append(index) })
        }
        let left = (0..<number).filter { gone & (1 << $0) == 0 }
        for (index, child) in children.enumerated() where !left.contains(index) { child.cancel() }
        if isRejected { root.reject(Failure()) } else { root.fulfill(0) }
        context.drain()
        XCTAssertEqual(order.all, left)
        XCTAssertEqual(children.map(\.isCancelled), (0..<number).map { !left.contains($0) })
      }
    }
  }

  // Spec: C9.2
  func testAHandlerThatIsScheduledIsWithdrawn() throws {
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
  func testTheDeinitOfAValueMayWithdrawTheNextHandler() throws {
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

  // Spec: C9.3
  func testTheCapturesOfAWithdrawnHandlerAreFreedAtOnce() {
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
  func testTheBodyOfAFinallyRunsWhenItsChildIsCancelled() throws {
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
}
