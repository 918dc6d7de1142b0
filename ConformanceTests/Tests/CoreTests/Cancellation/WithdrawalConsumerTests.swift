// Other consumers keep a chain pending when a follower withdraws. `catch`, `finally`, timers and mere
// references are not consumers (C4.7, C4.12 to C4.14).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class WithdrawalConsumerTests: XCTestCase {
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
  func testBesideAnotherChild() {
    let children: [(String, @Sendable (Promise) -> Promise)] = [
      ("then", { $0.then { $0 } }), ("both", { $0.then({ $0 }, { _ in 0 }) }),
      ("typed", { $0.then { (text: String) in text } }),
      ("asynchronous", { $0.then { value async in "\(value)" } }),
      ("below a catch", { $0.catch { _ in 0 }.then { $0 } }),
      ("below a finally", { $0.finally {}.then { $0 } }),
      ("below a timer", { $0.setTimeout(3600).then { $0 } }),
    ]
    for (name, makeChild) in children {
      let chain = Chain()
      assertKept(chain, name, by: makeChild(chain.end))
    }
  }

  // Spec: C4.7, C4.12
  func testBesideAnotherAdopter() {
    let chain = Chain()
    assertKept(chain, "bound", by: chain.follower())
    let second = Chain()
    let child = second.context.settled(1).then { _ in second.end }
    second.context.drain()
    assertKept(second, "a handler's child", by: child)
    let third = Chain()
    assertKept(third, "below a catch", by: third.end.catch { _ in 0 }.follower())
  }

  // Spec: C4.12
  func testBesideACombinator() {
    let combine: [(String, @Sendable (Promise) -> Promise)] = [
      ("all", { Promise.all([$0, 1]).then { ($0 as? [Any])?.first } }),
      ("allSettled", { Promise.allSettled([$0]).then { _ in "value" } }),
      ("any", { Promise.any([$0]) }), ("race", { Promise.race([$0, Promise()]) }),
      ("cancelling", { Promise.race([$0, Promise()], cancellingInputs: true) }),
    ]
    for (name, combine) in combine {
      let chain = Chain()
      assertKept(chain, name, by: combine(chain.end))
    }
  }

  // Spec: C4.12, K5.2
  func testBesideASeries() {
    let chain = Chain()
    let sequence = Promise.sequence([chain.end], on: chain.context) { $0 }.then { ($0 as? [Any])?.first }
    chain.context.drain()
    assertKept(chain, "an input of a sequence", by: sequence)
    let (second, rounds) = (Chain(), Counter())
    let loop = Promise.repeat(on: second.context) { () -> Promise? in
      rounds.increment()
      return rounds.value == 1 ? second.end : nil
    }
    second.context.drain()
    assertKept(second, "a round of a loop", by: loop)
  }

  // Spec: C4.12, T1.2
  func testBesideAReader() throws {
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
  func testBesideAThreadThatWaits() throws {
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
  func testWhatIsNoConsumer() {
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
}
