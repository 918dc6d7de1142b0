// Operations with tasks that are cancelled while they begin, wait, or continue on another thread.

import DynamicPromise
import Seeds
import Synchronization

extension Operation {
  static let tasks = [
    Operation("a cancel against the start of a task", 3) { random in
      let token = Live()
      // A task that does not notice its cancel retains the token, which the round then reports as a leak.
      let body: @Sendable () async -> Void = {
        while !Task.isCancelled { await Task.yield() }
        withExtendedLifetime(token) {}
      }
      if random.once(in: 2) {
        let parent = Promise(on: .immediate)
        let task = parent.then { (_: Any) async in await body() }
        later(&random, bits: 14) { task.cancel() }
        parent.fulfill(1)
      } else {
        let task = Promise { () async in await body() }
        lose(random.below(1 << random.below(14)))
        task.cancel()
      }
    },
    Operation("results, to the end", 2) { random in
      let inputs = (0..<(1 + random.below(4))).map { _ in Promise() }
      let (cancelled, readers) = (random.once(in: 2), 1 + random.below(3))
      let expectation = Expectation("T", "each outcome and each end", times: inputs.count + readers)
      let results = Promise.results(of: inputs)
      // One reader receives each outcome. At the end, all readers continue.
      for _ in 0..<readers {
        Task {
          for await _ in results { expectation.meet() }
          expectation.meet()
        }
      }
      for input in inputs.shuffled(using: &random) {
        Contexts.elsewhere { if cancelled { input.cancel() } else { input.fulfill(1) } }
      }
    },
    Operation("a task's wait against its cancel", 2) { random in
      let (promise, expectation) = (Promise(), Expectation("T", "a waiting task continues"))
      let withdraws = random.once(in: 2)
      let task = Task {
        _ = withdraws ? try? await promise.cancellingValue : try? await promise.value
        expectation.meet()
      }
      later(&random) { task.cancel() }
      Contexts.elsewhere { promise.fulfill(1) }
    },
    blocking("a wait on a thread that an actor has left", 1) { random in
      let (actor, expectation) = (Somebody(), Expectation("H2.8", "a wait for an actor's handlers"))
      let start = Promise(on: .actor(actor))
      let last = (0..<150).map { _ in start.then { $0 } }.last!
      Task {
        do { _ = try block(last) } catch { Report.fail("H2.8", "a wait for an actor elsewhere: \(error)") }
        expectation.meet()
        ends()
      }
      start.fulfill(1)
    },
  ]

  private static let isFree = Atomic<Bool>(true)

  /// An operation that blocks a thread of a pool until it calls `ends`. Only one such operation runs at a
  /// time, because the pools are slow to start more threads than there are processors. The pool of Swift
  /// tasks never starts more.
  static func blocking(
    _ name: String, _ weight: Int, _ body: @escaping @Sendable (inout Random) -> Void
  ) -> Operation {
    Operation(name, weight) { random in
      if isFree.exchange(false, ordering: .acquiring) { body(&random) }
    }
  }

  static func ends() { isFree.store(true, ordering: .releasing) }

  /// This function is synchronous, because `get` is not available in asynchronous code.
  private static func block(_ promise: Promise) throws -> Any { try promise.get(timeout: 30) }
}
