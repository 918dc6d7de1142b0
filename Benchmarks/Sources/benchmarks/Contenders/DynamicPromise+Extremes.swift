// Extreme workloads: deep chains, endless loops, long-lived parents, two or more threads at once.

import BenchmarkKit
import Dispatch
import DynamicPromise
import Foundation

extension DynamicPromiseContender {
  var extremes: [Workload: Run] {
    var runs: [Workload: Run] = [
      .w7: w7, .w9: w9, .w10: w5, .w11a: w11a, .w11b: w11b, .w12: w12,
    ]
    // Excludes W9 in place, where it is recursive: each handler runs the next iteration's handler inside
    // itself.
    if manner == .inPlace { runs[.w9] = nil }
    // Excludes the memory workloads, because serial queues and barriers change only the time.
    if manner == .inTurn { for workload in [Workload.w9, .w11a, .w11b] { runs[workload] = nil } }
    // Excludes W12, which needs two threads, because a stepped context has one.
    if manner == .stepped { runs[.w12] = nil }
    return runs
  }

  var detailed: [Workload: DetailedRun] {
    var runs: [Workload: DetailedRun] = [
      .w2: w2, .w8a: w8a, .w8b: w8b, .w8c: w8c, .w13: w13, .w15a: w15a,
    ]
    // Excludes W13, which needs several threads, because a stepped context has one.
    if manner == .stepped { runs[.w13] = nil }
    // Excludes both workloads, because serial queues and barriers change only the time.
    if manner == .inTurn { for workload in [Workload.w13, .w15a] { runs[workload] = nil } }
    return runs
  }

  @Sendable func w7(_ count: Int) -> Double {
    let stage = stage()
    return heapGrowth(count) { _ in
      let promise = stage.promise()
      promise.then { $0 as! Int + 1 }
      return promise
    }
  }

  private final class Token: Sendable {}

  /// Builds a chain on `root`, ends it with `end`, and waits until its first handler and its last promise are
  /// deallocated.
  private func deep(_ count: Int, _ stage: Stage, _ root: Promise, _ end: () -> Void) throws -> Figures {
    weak var captured: Token?
    weak var outcome: Promise?
    func build() {
      let token = Token()
      captured = token
      var promise = root.then { value in
        withExtendedLifetime(token) {}
        return value
      }
      for _ in 1..<count { promise = promise.then { $0 as! Int + 1 } }
      outcome = promise
      promise.ignoreErrors()
    }
    return try timeChain(count, build: build) {
      end()
      stage.drain()
      let deadline = DispatchTime.now() + 10
      while captured != nil || outcome != nil {
        guard DispatchTime.now() < deadline else {
          throw Failure(captured != nil ? "handlers kept" : "promises kept")
        }
        sched_yield()
      }
    }
  }

  @Sendable func w8a(_ count: Int) throws -> Figures {
    let stage = stage()
    let root = stage.promise()
    return try deep(count, stage, root) { root.fulfill(0) }
  }

  @Sendable func w8b(_ count: Int) throws -> Figures {
    let stage = stage()
    let (root, resolver) = stage.opened()
    var last: Resolver? = consume resolver
    return try deep(count, stage, root) {
      withExtendedLifetime(last) {}
      last = nil
    }
  }

  @Sendable func w8c(_ count: Int) throws -> Figures {
    let stage = stage()
    let root = stage.promise()
    return try deep(count, stage, root) { root.cancel() }
  }

  @Sendable func w9(_ count: Int) -> Double {
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

  /// Calls `add` `count` times, and waits after each batch. Without waiting, a backlog of jobs would hide the
  /// memory that promises keep.
  private func inBatches(_ count: Int, _ stage: Stage, _ add: (Latch) -> Void) {
    var left = count
    while left > 0 {
      let batch = min(left, 1000)
      let latch = Latch(batch)
      for _ in 0..<batch {
        add(latch)
        stage.drain()
      }
      latch.wait()
      left -= batch
    }
  }

  @Sendable func w11a(_ count: Int) -> Double {
    let stage = stage()
    let root = stage.promise()
    root.fulfill(0)
    return time {
      inBatches(count, stage) { latch in
        root.then {
          latch.hit()
          return $0 as! Int + 1
        }
      }
    }
  }

  @Sendable func w11b(_ count: Int) -> Double {
    let stage = stage()
    let pending = stage.promise()
    return time {
      inBatches(count, stage) { latch in
        let quick = stage.promise()
        Promise.race([pending, quick]).then {
          latch.hit()
          return $0 as! Int + 1
        }
        quick.fulfill(0)
      }
      withExtendedLifetime(pending) {}
    }
  }

  @Sendable func w12(_ count: Int) -> Double {
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
}
