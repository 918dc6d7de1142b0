// `catchOn(actor)`, `finallyOn(actor)` and suspending handlers on an actor: isolation, cancellation, memory.

import DynamicPromise
import XCTest

final class ActorHandlerTests: XCTestCase {
  /// If a closure does not suspend, the compiler must not choose the asynchronous overload. That overload
  /// starts a task.
  // Spec: X3.18, X3.19
  func testOrdinaryClosuresRunInTheActorsLine() {
    let clerk = Clerk()
    let (one, failed) = (Promise.resolved(1), Promise.rejected(Failure("no")))
    let children = [
      one.thenOn(clerk) { clerk, _ in clerk.count += 1 },
      one.thenOn(clerk) { (clerk, number: Int) in clerk.count += number },
      one.thenOn(clerk) { clerk, value -> Any? in
        if clerk.count == 0 { return value }
        return nil
      },
      failed.catchOn(clerk) { clerk, _ in clerk.count += 1 },
      failed.catchOn(clerk) { (clerk, failure: Failure) in failure.name },
      failed.catchOn(clerk) { clerk, _ in throw Failure("another") },
      failed.catchOn(clerk) { (clerk, failure: Failure) -> Any? in
        if clerk.count == 0 { return failure.name }
        return nil
      },
      failed.finallyOn(clerk) { $0.count += 1 },
      failed.finallyOn(.actor(clerk)) {},
    ]
    clerk.executor.step()
    XCTAssertEqual(children.map(\.isSettled), children.map { _ in true })
    XCTAssertEqual(clerk.executor.jobs.count, 0)
  }

  // Spec: X3.14
  func testRejectionHandlersThatSuspendStayOnTheirActor() throws {
    let clerk = Clerk()
    let gate = Promise()
    let child = Promise.rejected(Failure("reason")).catchOn(clerk) { (clerk, failure: Failure) in
      clerk.count += 1
      _ = try await gate.value(as: Any.self)
      clerk.assertIsolated()
      clerk.count += 1
      return failure.name
    }
    // The first step runs the mailbox, which starts the handler's task. The second step runs that task.
    clerk.executor.step()
    clerk.executor.step()
    XCTAssertTrue(child.isPending)
    gate.fulfill(())
    clerk.executor.step()
    XCTAssertEqual(try child.value(), "reason")
  }

  // Spec: X3.14
  func testCancelReachesTheTasksOfHandlersOnAnActor() throws {
    let clerk = Clerk(onQueue: true)
    let failed = Promise.rejected(Failure())
    let (started, noticed) = (Event(), Event())
    let wait: @Sendable (isolated Clerk) async -> Void = { clerk in
      clerk.assertIsolated()
      started.signal()
      _ = try? await Promise().cancellingValue(as: Any.self)
      clerk.assertIsolated()
      if Task.isCancelled { noticed.signal() }
    }
    let children = [
      failed.catchOn(clerk) { clerk, _ in await wait(clerk) },
      failed.catchOn(clerk) { (clerk, _: Failure) in await wait(clerk) },
    ]
    for child in children {
      started.wait("the start")
      XCTAssertTrue(child.isPending)
    }
    for child in children {
      child.cancel("enough")
      noticed.wait("the cancellation of the task")
      XCTAssertEqual("\(try child.reason())", "cancelled: enough")
    }
  }

  /// A promise cancelled by request runs its rejection handlers. If a handler suspends, its child is
  /// cancelled when the handler's task ends.
  // Spec: X3.14, C2.4
  func testHandlersThatSuspendUnderACancelledPromise() throws {
    let clerk = Clerk(onQueue: true)
    let gate = Promise()
    let started = Event()
    let root = Promise()
    let child = root.catchOn(clerk) { clerk, reason in
      started.signal()
      _ = try await gate.value(as: Any.self)
      return Failure("instead of \(reason)")
    }
    let cleaned = root.finallyOn(clerk) { clerk in
      started.signal()
      _ = try await gate.value(as: Any.self)
    }
    root.cancel("enough")
    started.wait("the handler")
    started.wait("the closure")
    XCTAssertTrue(child.isPending && cleaned.isPending)
    gate.fulfill(())
    XCTAssertEqual((try child.reason() as? Failure)?.name, "instead of cancelled: enough")
    XCTAssertTrue(child.isCancelled)
    XCTAssertEqual("\(try cleaned.reason())", "cancelled: enough")
  }

  // Spec: X3.19
  func testTheOutcomeWaitsForAClosureThatSuspends() throws {
    let clerk = Clerk()
    let gate = Promise()
    let child = Promise.resolved("outcome").finallyOn(clerk) { clerk in
      _ = try await gate.value(as: Any.self)
      clerk.count += 1
    }
    clerk.executor.step()
    clerk.executor.step()
    XCTAssertTrue(child.isPending)
    gate.reject(Failure("instead"))
    clerk.executor.step()
    XCTAssertEqual((try child.reason() as? Failure)?.name, "instead")
  }

  // Spec: X3.19, C9.4, X3.13
  func testAClosureWhoseChildIsCancelledHoldsItsActorUntilItHasRun() {
    let register: [@Sendable (Promise, Clerk, Event) -> Promise] = [
      { root, clerk, ran in root.finallyOn(clerk) { clerk in clerk.count(ran) } },
      { root, clerk, ran in root.finallyOn(clerk) { _ in ran.signal() } },
      { root, clerk, ran in
        root.finallyOn(clerk) { clerk in
          await Task.yield()
          clerk.count(ran)
        }
      },
      { root, clerk, ran in
        root.finallyOn(clerk) { _ in
          await Task.yield()
          ran.signal()
        }
      },
    ]
    for register in register {
      let ran = Event()
      let root = Promise()
      let reference: WeakReference<Clerk>
      let child: Promise
      do {
        let clerk = Clerk(onQueue: true)
        reference = WeakReference(clerk)
        child = register(root, clerk, ran)
      }
      XCTAssertNotNil(reference.object)
      child.cancel()
      XCTAssertTrue(child.isCancelled)
      ran.wait("the closure")
      reference.waitUntilGone()
      XCTAssertTrue(root.isPending)
    }
  }

  // Spec: X3.13
  func testSettledChildrenDoNotHoldTheirActor() throws {
    let reference: WeakReference<Clerk>
    let children: [Promise]
    do {
      let clerk = Clerk(onQueue: true)
      reference = WeakReference(clerk)
      let failed = Promise.rejected(Failure())
      children = [
        failed.catchOn(clerk) { clerk, _ in clerk.count },
        failed.catchOn(clerk) { (clerk, _: Failure) in
          await Task.yield()
          return clerk.count
        },
        failed.catchOn(clerk) { _, _ in 0 },
      ]
    }
    for child in children { XCTAssertEqual(try child.value(), 0) }
    reference.waitUntilGone()
  }

  // Spec: X3.11, X3.18, X3.19
  func testHandlersOfAllKindsAreOneLine() throws {
    let clerk = Clerk()
    let log = Log<Int>()
    let root = Promise()
    var children: [Promise] = []
    for round in 0..<50 {
      let number = round * 4
      children.append(root.catchOn(clerk) { (_, _: Failure) in log.append(number) })
      children.append(root.catchOn(clerk) { _, _ in log.append(number + 1) })
      children.append(root.finallyOn(clerk) { _ in log.append(number + 2) })
      root.catchOn(clerk) { (_, _: Failure) in log.append(number + 3) }
    }
    root.reject(Failure())
    for _ in 0..<100 where log.count < 200 { clerk.executor.step() }
    XCTAssertEqual(log.all, Array(0..<200))
    for child in children { XCTAssertTrue(child.isSettled) }
  }
}

/// An actor whose executor is stepped by hand or uses a queue.
private actor Clerk {
  let executor = ManualSerialExecutor()
  private let queue: QueueExecutor?
  var count = 0

  init(onQueue: Bool = false) { queue = onQueue ? QueueExecutor() : nil }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue?.asUnownedSerialExecutor() ?? executor.asUnownedSerialExecutor()
  }

  func count(_ event: Event) {
    count += 1
    event.signal()
  }
}
