import Foundation
import PromisesAPlusSuite

/// The state that the promises of one stand-in share: the defect, one lock, and one worker thread.
///
/// A single lock makes the walk along a chain of adoptions atomic, so that no cycle is missed. The worlds of
/// all contexts share the lock, because their promises adopt each other.
final class StandInWorld: @unchecked Sendable {
  let defect: Defect?
  private let condition: NSCondition
  private let worker: DispatchQueue
  private let log: SchedulingLog?
  /// The context that replaces the worker in random programs.
  private let context: SteppedContext?
  private var isInJob = false
  private var jobs = 0
  private static let mark = DispatchSpecificKey<Bool>()

  /// Creates a world. With a log, handlers may overlap, and the log records the order in which they are
  /// scheduled.
  init(_ defect: Defect? = nil, log: SchedulingLog? = nil) {
    self.defect = defect
    self.log = log
    (condition, context) = (NSCondition(), nil)
    worker = DispatchQueue(label: "stand-in", attributes: log == nil ? [] : .concurrent)
    worker.setSpecific(key: Self.mark, value: true)
  }

  /// Creates the world of a context, which has the lock of another world.
  init(_ world: StandInWorld, on context: SteppedContext) {
    (defect, condition, worker, log) = (world.defect, world.condition, world.worker, nil)
    self.context = context
  }

  /// Whether the caller is a handler.
  var isInsideHandler: Bool { context == nil ? DispatchQueue.getSpecific(key: Self.mark) == true : isInJob }

  func has(_ defect: Defect) -> Bool { self.defect == defect }

  func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  /// Runs the job on the worker, after all earlier jobs. Called with the lock held.
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

  /// Wakes the threads that wait in `window`. Called with the lock held.
  func changed() { condition.broadcast() }

  /// Returns when the worker has no jobs left.
  func quiesce() {
    locked { while jobs > 0 { condition.wait() } }
  }

  /// Holds a race open: waits until `isOver` reports that the other thread has made its call.
  ///
  /// Without a race, the wait times out. Called with the lock held.
  func window(until isOver: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 0.02)
    while !isOver() { if !condition.wait(until: end) { return } }
  }
}
