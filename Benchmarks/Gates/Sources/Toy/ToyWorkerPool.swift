// The floor for other threads: the minimum that lets many handlers share a submission to a queue.

import Dispatch
import Synchronization

/// A list of jobs for a queue, first in, first out.
package final class ToyWorkerPool: Sendable {
  package typealias Job = @Sendable () -> Void

  package enum Manner: Sendable {
    /// One block at a time runs all jobs: for a serial queue, and with barriers for a concurrent one.
    case batched
    /// While jobs wait, one more block is submitted, so that a job that blocks does not delay others.
    case pooled
  }

  private struct State {
    /// Those before `next` have been taken.
    var jobs: [Job?] = []
    var next = 0
    /// Batched: a block is submitted or runs. Pooled: one is submitted that has not begun.
    var isUnderWay = false
  }

  private let queue: DispatchQueue
  private let manner: Manner
  private let isBarrier: Bool
  private let state = Mutex(State())

  package init(_ queue: DispatchQueue, _ manner: Manner, isBarrier: Bool = false) {
    (self.queue, self.manner, self.isBarrier) = (queue, manner, isBarrier)
  }

  /// Runs `job` on the queue, behind those that wait already.
  package func submit(_ job: @escaping Job) {
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isUnderWay = true }
      return !state.isUnderWay
    }
    if isFirst { start() }
  }

  private func start() {
    queue.async(flags: isBarrier ? .barrier : []) { [self] in
      if manner == .pooled { state.withLock { $0.isUnderWay = false } }
      while let job = take() { job() }
    }
  }

  private func take() -> Job? {
    let (job, startsAnother) = state.withLock { state -> (Job?, Bool) in
      guard state.next < state.jobs.count else {
        state.jobs.removeAll(keepingCapacity: true)
        state.next = 0
        if manner == .batched { state.isUnderWay = false }
        return (nil, false)
      }
      let job = state.jobs[state.next].take()
      state.next += 1
      guard manner == .pooled, !state.isUnderWay, state.next < state.jobs.count else { return (job, false) }
      state.isUnderWay = true
      return (job, true)
    }
    if startsAnother { start() }
    return job
  }
}

extension ToyPromise {
  /// `resolve` on the queue of `pool`: handlers that wait, and theirs in turn, run in place there.
  package func resolve(_ value: Any, on pool: ToyWorkerPool) {
    let input = Input(value: value)
    pool.submit { self.resolve(input.value) }
  }

  /// `then` whose handler runs on the queue of `pool`, if the promise is resolved there, or is settled
  /// already.
  ///
  /// - Note: If it settles just now, the handler may run here. A real promise has to prevent that; this is
  ///   the floor.
  package func then(on pool: ToyWorkerPool, _ handler: @escaping Handler) -> ToyPromise {
    guard let result else { return then(handler) }
    let child = ToyPromise()
    let input = Input(value: result)
    pool.submit { child.resolve(handler(input.value)) }
    return child
  }

  private struct Input: @unchecked Sendable { let value: Any }
}
