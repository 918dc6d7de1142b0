// The worker pool of the private default context. Its own queue saves submissions to the system. A standby
// worker ensures that no job waits for another job to end.

import Dispatch
import Synchronization

/// A queue of handlers for the private default context, first in, first out, and the workers that run them
/// one by one.
///
/// While jobs wait, one worker is the *standby*: it has no job, because it has not started yet, or has just
/// run out of jobs. A standby that takes a job while other jobs remain submits the next standby before it
/// runs the job. A handler that blocks thus stops only its own worker, and the standby runs the jobs behind
/// it.
final class WorkerPool: Sendable {
  /// The number of jobs that a worker runs before it yields its thread to other users of the system's pool.
  private static let quantum = 256

  private struct Queue {
    var jobs = FIFO<Promise>()
    var hasStandby = false
  }

  private let queue = Guarded(Queue())
  /// Whether jobs may wait. Changed under the queue's lock, and polled without it, because a poll that takes the
  /// lock delays the threads that add jobs.
  private let mayHaveJobs = Atomic(false)

  private init() {}

  /// Enqueues handlers, in their order.
  func add(_ children: Turn.Batch) {
    submitStandby(
      if: queue.with { queue in
        queue.jobs.append(children.first)
        for child in children.rest { queue.jobs.append(child) }
        mayHaveJobs.store(true, ordering: .relaxed)
        return Self.claimStandby(&queue)
      })
  }

  /// Enqueues a handler.
  func add(_ child: Promise) {
    submitStandby(
      if: queue.with { queue in
        queue.jobs.append(child)
        mayHaveJobs.store(true, ordering: .relaxed)
        return Self.claimStandby(&queue)
      })
  }

  /// Whether the caller must submit a standby, because none exists.
  private static func claimStandby(_ queue: inout Queue) -> Bool {
    defer { queue.hasStandby = true }
    return !queue.hasStandby
  }

  private func submitStandby(if isNeeded: Bool) {
    if isNeeded { DefaultContext.queue.async { self.work() } }
  }

  /// The loop of a worker. If jobs remain when the worker's quantum is used up, a standby exists.
  private func work() {
    var isStandby = true
    for _ in 0..<WorkerPool.quantum {
      guard let child = next(isStandby) else { return }
      isStandby = false
      let turn = Turn.current
      turn.work(isWorker: true) { child.runHandler(turn) }
    }
  }

  /// The oldest job; `nil` ends the worker.
  private func next(_ wasStandby: Bool) -> Promise? {
    var isStandby = wasStandby
    if let child = take(&isStandby) { return child }
    guard isStandby else { return nil }
    // Polling for a moment costs less than starting another worker.
    for _ in 0..<Limits.spins {
      if mayHaveJobs.load(ordering: .relaxed), let child = take(&isStandby) { return child }
    }
    return queue.with { queue in
      let child = queue.jobs.popFirst()
      queue.hasStandby = false
      return child
    }.map { child in
      submitStandby(if: queue.with { !$0.jobs.isEmpty && Self.claimStandby(&$0) })
      return child
    }
  }

  /// The oldest job. If no job waits, the worker becomes the standby, unless another standby exists.
  private func take(_ isStandby: inout Bool) -> Promise? {
    var needsStandby = false
    let child = queue.with { queue -> Promise? in
      guard let child = queue.jobs.popFirst() else {
        mayHaveJobs.store(false, ordering: .relaxed)
        if !queue.hasStandby {
          queue.hasStandby = true
          isStandby = true
        }
        return nil
      }
      if isStandby {
        isStandby = false
        queue.hasStandby = !queue.jobs.isEmpty
        needsStandby = queue.hasStandby
      }
      return child
    }
    submitStandby(if: needsStandby)
    return child
  }
}

extension WorkerPool {
  #if canImport(Darwin)
    /// One pool for each quality of service. A standby has the quality of the stack that submits it, and an
    /// urgent job must not wait for a standby of lower quality. The index is a quarter of the raw value,
    /// which is at most 0x21.
    private static let all = (0..<8).map { _ in WorkerPool() }
    static var mine: WorkerPool { all[min(Int(Task<Never, Never>.currentPriority.rawValue) >> 2, 7)] }
  #else
    /// One pool is enough, because Dispatch has no quality of service to inherit on this platform.
    static let mine = WorkerPool()
  #endif
}
