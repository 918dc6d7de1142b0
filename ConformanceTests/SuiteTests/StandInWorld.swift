import Foundation
import PromisesAPlusSuite

/// What the promises of one stand-in share: the defect, one lock for all their states, and one worker thread.
///
/// A single lock makes the walk along a chain of adoptions atomic, so that no cycle slips through.
final class StandInWorld: @unchecked Sendable {
  let defect: Defect?
  private let condition = NSCondition()
  private let worker: DispatchQueue
  private let log: SchedulingLog?
  /// Takes the worker's place, in random programs.
  private let context: SteppedContext?
  private var isInJob = false
  private var jobs = 0
  /// The tokens that were made, for `.tokenShared`.
  var tokens: [StandInToken] = []
  private static let mark = DispatchSpecificKey<Bool>()

  /// With a log, handlers may overlap, and the log has the order in which they were scheduled.
  init(_ defect: Defect? = nil, log: SchedulingLog? = nil, context: SteppedContext? = nil) {
    self.defect = defect
    self.context = context
    self.log = log
    worker = DispatchQueue(label: "stand-in", attributes: log == nil ? [] : .concurrent)
    worker.setSpecific(key: Self.mark, value: true)
  }

  /// Whether a handler made the call that asks.
  var isInsideHandler: Bool {
    context == nil ? DispatchQueue.getSpecific(key: Self.mark) == true : isInJob
  }

  func has(_ defect: Defect) -> Bool {
    self.defect == defect
  }

  func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  /// Runs the job on the worker, after all that were scheduled before. Called with the lock held.
  func hand(_ job: @escaping @Sendable () -> Void) {
    if let context {
      return context.enqueue {
        self.isInJob = true
        job()
        self.isInJob = false
      }
    }
    jobs += 1
    let job = log?.stamp(job) ?? job
    worker.async {
      job()
      self.locked {
        self.jobs -= 1
        self.condition.broadcast()
      }
    }
  }

  /// Wakes those who wait in `window`. Called with the lock held.
  func changed() {
    condition.broadcast()
  }

  /// Returns when the worker has nothing left to do.
  func quiesce() {
    locked {
      while jobs > 0 { condition.wait() }
    }
  }

  /// Holds a race open: waits until the other thread has done its part, which is when `isOver` says so.
  ///
  /// Without a race, the wait ends by itself after a while. Called with the lock held.
  func window(until isOver: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 0.02)
    while !isOver() {
      if !condition.wait(until: end) { return }
    }
  }
}
