// The parts of Dispatch that the core uses, on the scheduler's threads. These declarations hide the imported
// declarations of the same names, so that the core's sources need no change.

import Scheduler

import enum Dispatch.DispatchTimeInterval

/// Runs jobs on virtual threads, in turn. On a concurrent queue, a job without a barrier has its own thread.
///
/// Unlike in Dispatch, jobs without a barrier do not wait for jobs with a barrier. The core cannot see the
/// difference.
public final class DispatchQueue: @unchecked Sendable {
  struct Attributes { static let concurrent = Attributes() }
  enum Quality { case userInitiated }
  struct Flags { static let barrier = Flags() }

  /// The main queue. It has no separate thread here.
  public static let main = DispatchQueue(label: "main")

  @TaskLocal private static var current: DispatchQueue?

  let label: String
  private let isConcurrent: Bool
  private let line = Line()
  private let syncLock = SpinLock()
  private var mark: AnyObject?

  /// A serial queue.
  public init(label: String) {
    self.label = label
    isConcurrent = false
  }

  init(label: String, qos: Quality = .userInitiated, attributes: Attributes) {
    self.label = label
    isConcurrent = true
  }

  func async(execute job: @escaping @Sendable () -> Void) {
    if isConcurrent { Scheduler.spawn(label, onThis(job)) } else { line.append(label, onThis(job)) }
  }

  func async(flags: Flags, execute job: @escaping @Sendable () -> Void) { line.append(label, onThis(job)) }

  /// Runs one job at a time, on the calling thread. Jobs of `async` may run meanwhile. This makes no
  /// difference, because no queue of the core uses both calls.
  func sync(execute job: () -> Void) {
    syncLock.lock()
    job()
    syncLock.unlock()
  }

  private func onThis(_ job: @escaping @Sendable () -> Void) -> () -> Void {
    { DispatchQueue.$current.withValue(self, operation: job) }
  }

  static func getSpecific<T: AnyObject>(key: DispatchSpecificKey<T>) -> T? { current?.getSpecific(key: key) }

  func getSpecific<T: AnyObject>(key: DispatchSpecificKey<T>) -> T? { mark as? T }

  func setSpecific<T: AnyObject>(key: DispatchSpecificKey<T>, value: T) { mark = value }
}

/// A queue has one value, which every key finds.
final class DispatchSpecificKey<T: AnyObject>: Sendable {}

/// Blocks a virtual thread. A timeout other than the distant future counts as expired, because it may expire
/// at any moment.
final class DispatchSemaphore: @unchecked Sendable {
  enum TimeoutResult { case success, timedOut }

  private let cell = Cell(0)

  init(value: Int) {}

  func signal() {
    Scheduler.point("signal", cell)
    cell.bits += 2
  }

  func wait(timeout: DispatchTime) -> TimeoutResult {
    Scheduler.point("wait", cell)
    if timeout.isDistant { Scheduler.wait(for: cell) }
    guard cell.bits > 0 else { return .timedOut }
    cell.bits -= 2
    return .success
  }
}

struct DispatchTime {
  let isDistant: Bool
  static let distantFuture = DispatchTime(isDistant: true)
  static func now() -> DispatchTime { DispatchTime(isDistant: false) }
  /// No time passes in the explorer.
  var uptimeNanoseconds: UInt64 { 0 }
  static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
  /// The interval between two deadlock checks of a thread that waits. The interval never ends, because a
  /// second check would see the same as the first check.
  static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { .distantFuture }
  static func < (left: DispatchTime, right: DispatchTime) -> Bool { !left.isDistant && right.isDistant }
}

/// A timer. It may fire at any moment after its activation.
final class DispatchSource: @unchecked Sendable {
  private let queue: DispatchQueue
  private let cell = Cell(0)
  private var handler: (@Sendable () -> Void)?

  private init(_ queue: DispatchQueue) { self.queue = queue }

  static func makeTimerSource(queue: DispatchQueue) -> DispatchSource { DispatchSource(queue) }

  func schedule(deadline: DispatchTime) {}

  func setEventHandler(handler: @escaping @Sendable () -> Void) { self.handler = handler }

  func activate() {
    queue.async { [self] in
      Scheduler.point("timer", cell)
      if cell.bits == 0 { handler?() }
      handler = nil
    }
  }

  func cancel() {
    Scheduler.point("cancel timer", cell)
    cell.bits = 1
  }
}
