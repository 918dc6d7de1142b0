// Extreme workloads: deep chains, endless loops, long-lived parents, several threads, one queue for all.

import BenchmarkKit
import Dispatch
import DynamicPromise
import Foundation

extension DynamicPromiseContender {
  @Sendable func w7(_ count: Int) -> Figures {
    let stage = stage()
    return heapGrowth(count) { _ in
      let promise = stage.promise()
      promise.then { $0 as! Int + 1 }
      return promise
    }
  }

  private final class Token: Sendable {}

  /// Ends when the chain's first handler and last promise are deallocated.
  @Sendable func w8a(_ count: Int) throws -> Figures {
    let stage = stage()
    weak var captured: Token?
    weak var outcome: Promise?
    func build(on root: Promise) {
      let token = Token()
      captured = token
      var promise = root.then { value in
        withExtendedLifetime(token) {}
        return value
      }
      for _ in 1..<count { promise = promise.then { $0 as! Int + 1 } }
      outcome = promise
    }
    return try time {
      let root = stage.promise()
      build(on: root)
      root.fulfill(0)
      stage.drain()
      let deadline = DispatchTime.now() + 10
      while captured != nil || outcome != nil {
        guard DispatchTime.now() < deadline else { throw Failure("promises kept") }
        sched_yield()
      }
    }
  }

  @Sendable func w9(_ count: Int) -> Figures {
    let (stage, latch) = (stage(), Latch())
    @Sendable func iteration(_ left: Int) -> Promise {
      let promise = stage.promise()
      promise.fulfill(left)
      return left == 0 ? promise : promise.then { iteration($0 as! Int - 1) }
    }
    return time {
      iteration(count).then { _ in latch.hit() }
      stage.drain()
      latch.wait()
    }
  }

  /// Waits after each 1,000 children. Otherwise, a backlog of jobs would hide the memory that promises keep.
  @Sendable func w11a(_ count: Int) -> Figures {
    let stage = stage()
    let root = stage.promise()
    root.fulfill(0)
    return time {
      for begin in stride(from: 0, to: count, by: 1000) {
        let batch = min(1000, count - begin)
        let latch = Latch(batch)
        for _ in 0..<batch {
          root.then {
            latch.hit()
            return $0 as! Int + 1
          }
          stage.drain()
        }
        latch.wait()
      }
    }
  }

  @Sendable func w12(_ count: Int) -> Figures {
    let (stage, latch) = (stage(), Latch(count))
    return Meeting.time(count) {
      stage.promise()
    } left: { promise in
      promise.then {
        latch.hit()
        return $0 as! Int + 1
      }
    } right: {
      $0.fulfill(0)
    } afterwards: {
      latch.wait()
    }
  }

  @Sendable func w13(_ count: Int) -> Figures {
    let stage = stage()
    return Crowd.measure(count) {
      let root = stage.promise()
      root.fulfill(0)
      return { steps, watch, latch in
        var promise = root
        for _ in 0..<steps {
          promise = promise.then { $0 as! Int + 1 }
          watch.look()
        }
        promise.then { _ in latch.hit() }
        watch.look()
      }
    }
  }

  /// The promises are on the default context, but all handlers run on `context`.
  static func w14(_ count: Int, _ context: some ExecutionContext) -> Figures {
    let latch = Latch(count)
    return time {
      for _ in 0..<count {
        let promise = Promise()
        promise.thenOn(context) {
          latch.hit()
          return $0 as! Int + 1
        }
        promise.fulfill(0)
      }
      latch.wait()
    }
  }
}
