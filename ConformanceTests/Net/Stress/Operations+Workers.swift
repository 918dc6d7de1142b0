// Operations on the worker pool: handlers that continue on the worker, deep stacks, hooks that wait.

import Dispatch
import DynamicPromise

extension Operation {
  static let workers = [
    Operation("chains that could continue on one worker", 3) { random in
      let (start, count) = (Promise(), 2 + random.below(3))
      let expectation = Expectation("2.2.6", "early and late handlers run", times: 2 * count)
      let first = start.then { $0 }
      let followers = (1..<count).map { _ in Promise() }
      for follower in followers { follower.bind(first) }
      for promise in [first] + followers {
        promise.then { _ in
          expectation.meet()
          promise.then { _ in expectation.meet() }
        }
      }
      start.fulfill(1)
    },
    blocking("deep stacks on a worker", 2) { random in
      let (depth, expectation) = (10 + random.below(10), Expectation("2.2.6", "chains continue", times: 3))
      Promise.resolved(1).then { _ in
        deep(depth) {
          let start = Promise()
          start.then { _ in expectation.meet() }.then { expectation.meet() }
          start.fulfill(1)
          // The handler must not be left to this stack, because this stack waits for the handler.
          start.then { $0 }.wait()
          expectation.meet()
          ends()
        }
      }
    },
    blocking("a hook that waits for a clean-up", 2) { random in
      let start = Promise()
      let expectation = Expectation("X1", "a hook's wait ends", times: 3)
      let (follower, resolver) = Promise.pending()
      follower.catch { _ in expectation.meet() }
      let cancelled = Promise()
      cancelled.cancel()
      let end = start.then { _ in cancelled }
      // This is a semaphore, because a wait for a promise would run the clean-up itself if no other thread
      // runs it.
      let cleaned = DispatchSemaphore(value: 0)
      end.catch { _ in
        expectation.meet()
        cleaned.signal()
      }
      resolver.onCancel { _ in
        cleaned.wait()
        expectation.meet()
        ends()
      }
      follower.bind(end)
      start.fulfill(1)
    },
    Operation("captures that use their tree when they go", 2) { random in
      let (root, count) = (Promise(on: .immediate), 2 + random.below(4))
      let expectation = Expectation("C9.3", "captures are released with nothing locked", times: count)
      for _ in 0..<count {
        let token = Goer {
          root.then { _ in expectation.meet() }
        }
        root.catch { _ in withExtendedLifetime(token) {} }
      }
      if random.once(in: 2) { Contexts.elsewhere { root.fulfill(1) } }
      root.fulfill(1)
    },
    Operation("a wait for one's own queue", 2) { random in
      let expectation = Expectation("H2.8", "a wait that would never end throws")
      let queue = Contexts.serial[random.below(2)]
      Promise.resolved(1).thenOn(queue) { _ in
        let next = Promise.resolved(1).thenOn(queue) { $0 }
        do {
          _ = try next.get()
        } catch PromiseError.wouldDeadlock {
          expectation.meet()
        } catch {
          Report.fail("H2.8", "a wait for the thread's own queue: \(error)")
        }
      }
    },
    Operation("a wait for a handler that runs elsewhere", 1) { random in
      let pause = random.below(1 << random.below(14))
      let promise = Promise.resolved(1).then { _ in lose(pause) }
      lose(random.below(1 << random.below(14)))
      do { _ = try promise.get() } catch { Report.fail("H2.10", "a wait for a handler elsewhere: \(error)") }
    },
    Operation("more handlers than one call schedules", 1) { random in
      let context = Foreign(queue: Contexts.serial[random.below(2)])
      let (promise, count) = (Promise(), 400)
      let expectation = Expectation("2.2.2.1", "handlers of a crowd run", times: 2 * count)
      promise.thenOn(context) { $0 }
      for _ in 0..<2 {
        Contexts.elsewhere {
          for _ in 0..<count { promise.thenOn(context) { _ in expectation.meet() } }
        }
      }
      lose(1 << random.below(14))
      promise.fulfill(1)
    },
  ]

  /// Nests this many handlers in place.
  private static func deep(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
    guard depth > 0 else { return body() }
    let promise = Promise(on: .immediate)
    promise.then { _ in deep(depth - 1, body) }
    promise.fulfill(1)
  }
}
