// The worker pool of the private default context. Its own queue saves submissions to the system. A standby
// worker ensures that no job waits for another job to end.

import Dispatch

/// A queue of handlers for the private default context, first in, first out, and the workers that run them
/// one by one. A worker continues with the next handler of a chain only while no job waits.
///
/// While jobs wait, one worker is the *standby*: it has no job. A standby that takes a job while other jobs
/// remain submits the next standby before it runs the job. A blocked handler stops only its own worker.
final class WorkerPool: Sendable {
  private struct Queue {
    var jobs = FIFO<Core>()
    var hasStandby = false
  }

  private let queue = Guarded(Queue())
  /// Whether jobs wait. Changed under the queue's lock, and polled without it.
  private let hasJobs = AtomicFlag(false)

  private init() {}

  /// Enqueues handlers, in their order. Each has the hold of its job.
  func add(_ children: Turn.Batch) {
    submitStandby(
      if: queue.with { queue in
        queue.jobs.append(children.first)
        for child in children.rest { queue.jobs.append(child) }
        hasJobs.store(true, ordering: .relaxed)
        return Self.claimStandby(&queue)
      })
  }

  /// Whether the caller must submit a standby, because none exists.
  private static func claimStandby(_ queue: inout Queue) -> Bool {
    defer { queue.hasStandby = true }
    return !queue.hasStandby
  }

  private func submitStandby(if isNeeded: Bool) {
    if isNeeded { ContextRef.shared.execute { self.work() } }
  }

  /// The loop of a worker. If jobs remain when the worker's time is over, a standby exists.
  private func work() {
    let turn = Turn.current
    turn.workerTime.start()
    var isStandby = true
    repeat {
      guard let child = next(isStandby) else { return }
      isStandby = false
      turn.work(isWorker: true) { child.runHandler(turn) }
    } while turn.workerTime.remains()
  }

  /// Whether a worker may continue with the next handler of a chain, instead of adding it.
  @inline(__always)
  func mayContinue(_ time: inout WorkerTime) -> Bool {
    time.remains() && !hasJobs.load(ordering: .relaxed)
  }

  /// The oldest job; `nil` ends the worker.
  private func next(_ wasStandby: Bool) -> Core? {
    var isStandby = wasStandby
    if let child = take(&isStandby) { return child }
    guard isStandby else { return nil }
    // Polling for a moment costs less than starting another worker.
    for _ in 0..<Limits.spins {
      if hasJobs.load(ordering: .relaxed), let child = take(&isStandby) { return child }
    }
    return queue.with { queue in
      let child = pop(&queue)
      queue.hasStandby = false
      return child
    }.map { child in
      submitStandby(if: queue.with { !$0.jobs.isEmpty && Self.claimStandby(&$0) })
      return child
    }
  }

  private func pop(_ queue: inout Queue) -> Core? {
    let child = queue.jobs.popFirst()
    if queue.jobs.isEmpty { hasJobs.store(false, ordering: .relaxed) }
    return child
  }

  /// The oldest job. If no job waits, the worker becomes the standby, unless another standby exists.
  private func take(_ isStandby: inout Bool) -> Core? {
    var needsStandby = false
    let child = queue.with { queue -> Core? in
      guard let child = pop(&queue) else {
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
    /// urgent job must not wait for a standby of lower quality. The index is a quarter of the raw value.
    private static let all = (0..<8).map { _ in WorkerPool() }
    static var mine: WorkerPool { all[min(Int(Task<Never, Never>.currentPriority.rawValue) >> 2, 7)] }
  #else
    /// One pool is enough, because Dispatch has no quality of service to inherit on this platform.
    static let mine = WorkerPool()
  #endif
}

/// The time after which a worker yields its thread to other users of the system's pool, about a millisecond.
struct WorkerTime {
  private var end: UInt64 = 0
  private var untilRead = 1
  private var interval = 1

  mutating func start() {
    end = DispatchTime.now().uptimeNanoseconds + 1_000_000
    (untilRead, interval) = (1, 1)
  }

  /// Whether time is left after a job.
  @inline(__always)
  mutating func remains() -> Bool {
    untilRead -= 1
    return untilRead > 0 || readClock()
  }

  @inline(never)
  private mutating func readClock() -> Bool {
    guard DispatchTime.now().uptimeNanoseconds < end else {
      untilRead = 0
      return false
    }
    interval = min(2 * interval, 16)
    untilRead = interval
    return true
  }
}
