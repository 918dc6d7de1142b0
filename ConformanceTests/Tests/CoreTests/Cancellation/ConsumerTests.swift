// What a consumer is, and what happens when the last consumer leaves (C4.12 to C4.16).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class ConsumerTests: XCTestCase {
  /// Each way adds a consumer, and returns a closure that makes the consumer leave. Only the cancelled
  /// follower withdraws.
  private let ways: [(name: String, come: (Promise) -> () -> Void)] = [
    ("a cancelled follower", { cancelling(Promise.resolved($0)) }),
    ("a cancelled child", { promise in cancelling(promise.then { $0 }) }),
    ("a child of a catch", { promise in cancelling(promise.catch { _ in 0 }.then { $0 }) }),
    ("a follower that is released", { releasing($0.follower()) }),
    (
      "a race that is decided later",
      { promise in
        let winner = Promise()
        let race = Promise.race([winner, promise])
        return { winner.fulfill(race.isPending) }
      }
    ),
    ("a race that is cancelled", { cancelling(Promise.race([$0, Promise()], cancellingInputs: false)) }),
    ("a combinator that is cancelled", { cancelling(Promise.all([$0], cancellingInputs: false)) }),
    ("a combinator that is released", { releasing(Promise.all([$0])) }),
    ("an iteration that is released", { releasing(Promise.results(of: [$0])) }),
    ("a finally", { promise in cancelling(Promise.resolved(1, on: .immediate).finally { promise }) }),
  ]

  /// Cancels a follower of `chain`, fulfills the chain, and asserts that `consumer` has the value.
  private func assertKept(
    _ chain: Chain, _ name: String, file: StaticString = #filePath, line: UInt = #line, by consumer: Promise
  ) {
    let follower = chain.follower()
    follower.cancel(Failure())
    XCTAssertTrue(follower.isCancelled, name, file: file, line: line)
    chain.assertPending(name, file: file, line: line)
    chain.finish()
    XCTAssertEqual(try consumer.value(), "value", name, file: file, line: line)
    XCTAssertEqual(chain.heard.count, 0, name, file: file, line: line)
  }

  // Spec: C4.12
  func testAnotherChildKeepsThePromise() {
    let children: [(String, @Sendable (Promise) -> Promise)] = [
      ("then", { $0.then { $0 } }), ("both", { $0.then({ $0 }, { _ in 0 }) }),
      ("asynchronous", { $0.then { value async in "\(value)" } }),
      ("below a catch", { $0.catch { _ in 0 }.then { $0 } }),
      ("below a timer", { $0.setTimeout(3600).then { $0 } }),
    ]
    for (name, makeChild) in children {
      let chain = Chain()
      assertKept(chain, name, by: makeChild(chain.end))
    }
  }

  // Spec: C4.12
  func testACombinatorKeepsItsInputs() {
    let combine: [(String, @Sendable (Promise) -> Promise)] = [
      ("all", { Promise.all([$0, 1]).then { ($0 as? [Any])?.first } }),
      ("allSettled", { Promise.allSettled([$0]).then { _ in "value" } }),
      ("any", { Promise.any([$0]) }), ("race", { Promise.race([$0, Promise()]) }),
    ]
    for (name, combine) in combine {
      let chain = Chain()
      assertKept(chain, name, by: combine(chain.end))
    }
  }

  // Spec: C4.12, T1.2
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func testATaskThatAwaitsKeepsThePromise() throws {
    let readings: [Reading] = [
      { try await $0.value }, { try await $0.cancellingValue }, { try await $0.value(as: String.self) },
      { promise in
        for await result in Promise.results(of: [promise]) { return try result.get() }
        return 0
      },
    ]
    for read in readings {
      let (chain, executor) = (Chain(), ManualTaskExecutor())
      let (_, outcome) = startReading(on: executor, read, chain.end)
      executor.step()
      chain.follower().cancel(Failure())
      chain.assertPending()
      chain.finish()
      executor.step()
      XCTAssertEqual(try outcome.value(), "value")
    }
  }

  // Spec: C4.12, H2.5
  func testAThreadThatWaitsKeepsThePromise() throws {
    let watched = WaitedForContext()
    let (root, resolver) = Promise.pending(on: watched)
    let end = root.then { $0 }.catch { _ in 0 }
    let outcome = TaskOutcome()
    Thread.detachNewThread { outcome.finish(Result { try end.get(timeout: patience) }) }
    watched.isWaitedFor.wait("a thread that waits")
    end.follower().cancel(Failure())
    XCTAssertTrue(root.isPending)
    resolver.fulfill("value")
    watched.stepped.drain()
    XCTAssertEqual(try outcome.value(), "value")
  }

  /// These children are not consumers, but they are cancelled with the chain.
  // Spec: C4.13, R4.8
  func testACatchFinallyOrTimerAloneDoesNotKeepThePromise() {
    let registrations: [(String, @Sendable (Promise) -> Promise)] = [
      ("catch", { $0.catch { _ in 0 } }), ("finally", { $0.finally {} }),
      ("a timer", { $0.setTimeout(3600) }),
      ("no handler", { $0.then(nil as (@Sendable (Any) throws -> Any)?) }),
      ("several", { $0.catch { _ in 0 }.finally {}.setTimeout(3600) }),
    ]
    let places: [KeyPath<Chain, Promise>] = [\.end, \.middle, \.root]
    for (name, register) in registrations {
      for place in places {
        let (chain, failure) = (Chain(), Failure())
        let beside = register(chain[keyPath: place])
        chain.follower().cancel(failure)
        chain.assertCancelled(failure, name)
        assertCancelled([beside], failure, "with the chain: \(name)")
      }
    }
  }

  private static func cancelling(_ consumer: Promise) -> () -> Void { { consumer.cancel() } }

  private static func releasing(_ consumer: Any) -> () -> Void {
    var held = [consumer]
    return { held.removeAll() }
  }

  // Spec: C4.14, C4.15, C4.21, C5.2, C5.3
  func testTheMarkTakesEffectHoweverTheLastConsumerLeaves() {
    for (index, (name, come)) in ways.enumerated() {
      let (marked, first) = (Chain(), Failure("the first"))
      let leave = come(marked.end)
      marked.follower().cancel(first)
      marked.assertPending("one consumer is left: \(name)")
      leave()
      marked.assertCancelled(first, name)

      let wanted = Chain()
      come(wanted.end.cancelsWhenUnwanted())()
      wanted.assertCancelled(nil, "cancelled when unwanted: \(name)")

      let unmarked = Chain()
      come(unmarked.end)()
      if index > 0 { unmarked.assertPending("does not mark: \(name)") }
    }
  }

  // Spec: C4.15, C4.16
  func testTheReasonOfTheFirstWithdrawalStays() {
    let (chain, first) = (Chain(), Failure("first"))
    let followers = (0..<3).map { _ in chain.follower() }
    followers[1].cancel(first)
    followers[0].cancel(Failure("second"))
    chain.assertPending()
    followers[2].cancel(Failure("third"))
    chain.assertCancelled(first)
    XCTAssertEqual(followers[2].reasonNow?.name, "third", "a follower keeps its own reason")

    // The first reason also stays if a child is cancelled last, with another reason.
    let (second, child) = (Chain(), Failure("child"))
    let kept = second.middle.then { $0 }
    second.follower().cancel(first)
    kept.cancel(child)
    second.assertCancelled(first)
  }

  // Spec: C4.21, C5.3
  func testACancelledChildDoesNotMarkItsParent() {
    let chain = Chain()
    let children = [
      chain.end.then { $0 }, chain.end.catch { _ in 0 }, chain.middle.then { $0 }, chain.root.then { $0 },
    ]
    for child in children { child.cancel() }
    XCTAssertTrue(children.allSatisfy(\.isCancelled))
    chain.assertPending("no consumer has withdrawn")
    chain.finish()
    XCTAssertEqual(try chain.end.value(), "value")
  }
}
