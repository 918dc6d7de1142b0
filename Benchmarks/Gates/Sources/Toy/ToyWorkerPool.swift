// A lower bound for handlers on a queue: the minimum that lets many handlers share one submission.

import Dispatch
import Synchronization

/// A list of jobs for a queue, first in, first out.
package final class ToyWorkerPool: Sendable {
  package typealias Job = @Sendable () -> Void

  package enum Manner: Sendable {
    /// One block at a time runs all jobs.
    case batched
    /// While jobs wait, one more block is submitted, so that a job that blocks does not delay others.
    case pooled
  }

  private struct State {
    /// Jobs before `next` have been taken.
    var jobs: [Job?] = []
    var next = 0
    /// Batched: a block is submitted or runs. Pooled: a submitted block has not begun.
    var isUnderWay = false
  }

  private let queue: DispatchQueue
  private let manner: Manner
  private let state = Mutex(State())

  package init(_ queue: DispatchQueue, _ manner: Manner) { (self.queue, self.manner) = (queue, manner) }

  /// Runs `job` on the queue, after the jobs that already wait.
  package func submit(_ job: @escaping Job) {
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isUnderWay = true }
      return !state.isUnderWay
    }
    if isFirst { start() }
  }

  private func start() {
    queue.async { [self] in
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
  /// Resolves on the queue of `pool`. The waiting handlers, and the handlers below them, also run on it.
  package func resolve(_ value: Any, on pool: ToyWorkerPool) {
    let input = Input(value: value)
    pool.submit { self.resolve(input.value) }
  }

  /// Adds a handler that runs on the queue of `pool`, if the promise is settled or is resolved on it.
  ///
  /// - Note: If the promise settles during this call, the handler may run on the caller's stack. A real
  ///   promise must prevent this.
  package func then(on pool: ToyWorkerPool, _ handler: @escaping Handler) -> ToyPromise {
    guard let result else { return then(handler) }
    let child = ToyPromise()
    let input = Input(value: result)
    pool.submit { child.resolve(handler(input.value)) }
    return child
  }

  private struct Input: @unchecked Sendable { let value: Any }
}
