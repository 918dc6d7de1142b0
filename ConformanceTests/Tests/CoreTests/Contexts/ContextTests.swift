// Tests of the default context (X1), and of the order in which contexts receive handlers (A4).

import Dispatch
import DynamicPromise
import XCTest

final class ContextTests: XCTestCase {
  // Spec: X1.1, R5.1
  func testBlockingHandlerDoesNotHoldUpItsSibling() {
    for blocksFirst in [true, false] {
      for settledBefore in [true, false] {
        // If `below` is true, a worker that has just run another handler schedules these handlers.
        for below in [false, true] {
          let root = Promise()
          let promise = below ? root.then { $0 } : root
          let (blocker, ran) = (Blocker(), Event())
          if settledBefore { root.fulfill(1) }
          if blocksFirst { promise.then { _ in blocker.block() } }
          promise.then { _ in ran.signal() }
          if !blocksFirst { promise.then { _ in blocker.block() } }
          if !settledBefore { root.fulfill(1) }
          blocker.waitUntilBlocked()
          ran.wait("sibling")
          blocker.free()
        }
      }
    }
  }

  // Spec: X1.2, R5.1
  func testBlockingHandlerDoesNotHoldUpAnUnrelatedTree() throws {
    let (blocker, other) = (Blocker(), Promise())
    let end = other.then { $0 as! Int + 1 }.then { $0 as! Int + 1 }
    let blocking = Promise.resolved(0).then { _ in
      other.fulfill(0)
      blocker.block()
    }
    blocker.waitUntilBlocked()
    XCTAssertEqual(try end.value(), 2)
    XCTAssertTrue(blocking.isPending)
    blocker.free()
    _ = blocking.outcome()
  }

  // Spec: X1.4
  func testChildrenInheritTheDefaultContext() {
    let context = SteppedContext()
    let (pending, resolver) = Promise.pending(on: context)
    let resolvers = Log<Resolver>()
    resolvers.append(resolver)
    for root in [Promise(on: context), pending, Promise(on: context, { resolvers.append($0) })] {
      let trail = Log<String>()
      @Sendable func note(_ name: String) { trail.append("\(name) \(Stack.marker)") }
      let end = root.then { _ in note("then") }
        .then({ _ in throw Failure() }, { _ in })
        .catch { _ in note("catch") }
        .finally { note("finally") }
        .then({ _ in note("grandchild") }, { _ in })
      root.fulfill(0)
      XCTAssertEqual(context.pendingJobs, 1)
      Stack.mark("stepped") { context.drain() }
      XCTAssertEqual(
        trail.all, ["then stepped", "catch stepped", "finally stepped", "grandchild stepped"])
      XCTAssertTrue(end.isFulfilled)
      end.then { _ in note("late") }
      XCTAssertEqual(context.pendingJobs, 1)
      Stack.mark("stepped") { context.drain() }
      XCTAssertEqual(trail.all.last, "late stepped")
    }
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

  // Spec: A4.1
  func testSchedulingOrder() {
    for outcome in [true, false] {
      let (context, order) = (SteppedContext(), Log<Int>())
      let promise = Promise(on: context)
      func register(_ numbers: Range<Int>) {
        for number in numbers {
          switch number % 4 {
          case 0: promise.then({ _ in order.append(number) }, { _ in order.append(number) })
          case 1: promise.finally { order.append(number) }
          case 2:
            // A follower, which is not a child, is registered between the children.
            Promise(on: context).bind(promise)
            promise.thenOn(context, { _ in order.append(number) }, { _ in order.append(number) })
          default:
            promise.then({ _ in throw Failure() }, { _ in throw Failure() })
            promise.finally { order.append(number) }
          }
        }
      }
      register(0..<20)
      if outcome { promise.fulfill(0) } else { promise.reject(Failure()) }
      register(20..<40)
      context.step()
      register(40..<60)
      context.drain()
      register(60..<80)
      context.drain()
      XCTAssertEqual(order.all, Array(0..<80))
    }
  }

  /// Some handlers inherit the queue; others are added with `thenOn(queue)`. On a concurrent queue, each
  /// handler is a barrier.
  // Spec: A4.2, A4.3, R5.2
  func testHandlersOnAQueueRunInOrder() {
    for attributes: DispatchQueue.Attributes in [[], .concurrent] {
      let queue = DispatchQueue(label: "handlers", attributes: attributes)
      let overlap = Overlap()
      let promise = Promise(on: queue)
      func register(_ numbers: Range<Int>) {
        for number in numbers {
          if number % 3 == 0 {
            promise.then { _ in overlap.run(number) }
          } else {
            promise.thenOn(queue) { _ in overlap.run(number) }
          }
        }
      }
      register(0..<200)
      promise.fulfill(0)
      register(200..<400)
      queue.sync(flags: .barrier) {}
      XCTAssertEqual(overlap.order, Array(0..<400))
      XCTAssertEqual(overlap.most, 1)
    }
  }

  // Spec: A4.5
  func testSchedulingOrderOnAConcurrentContext() {
    let context = NumberingContext()
    let group = DispatchGroup()
    let order = Log<(scheduled: Int, registered: Int)>()
    let promise = Promise(on: context)
    func register(_ numbers: Range<Int>) {
      for number in numbers {
        group.enter()
        promise.then { _ in
          order.append((Int(Stack.marker) ?? -1, number))
          group.leave()
        }
      }
    }
    register(0..<300)
    promise.fulfill(0)
    register(300..<600)
    XCTAssertEqual(group.wait(timeout: .now() + patience), .success)
    let sorted = order.all.sorted { $0.scheduled < $1.scheduled }
    XCTAssertEqual(sorted.map(\.scheduled), Array(0..<600))
    XCTAssertEqual(sorted.map(\.registered), Array(0..<600))
  }
}

/// Runs its jobs on the system's pool. `Stack.marker` is the position of the job in the scheduling order.
private struct NumberingContext: ExecutionContext {
  let count = Counter()

  func execute(_ job: @escaping @Sendable () -> Void) {
    let number = count.value
    count.increment()
    DispatchQueue.global().async { Stack.mark("\(number)") { job() } }
  }
}
