// Dispatch as far as the core uses it, on the scheduler's threads. A declaration of this module hides the
// imported one of the same name, so that the core's sources need not know.

import Scheduler

import enum Dispatch.DispatchTimeInterval

/// Runs jobs on virtual threads: in turn, or each on its own if the queue is concurrent and the job has no
/// barrier. (A barrier waits for the jobs before it and keeps the later ones back; here all jobs with a
/// barrier run in turn and the others do not wait for them: the core cannot see the difference.)
public final class DispatchQueue: @unchecked Sendable {
  struct Attributes { static let concurrent = Attributes() }
  struct Flags { static let barrier = Flags() }

  /// Has no thread of its own here.
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

  init(label: String, attributes: Attributes) {
    self.label = label
    isConcurrent = true
  }

  func async(execute job: @escaping @Sendable () -> Void) {
    if isConcurrent { Scheduler.spawn(label, onThis(job)) } else { line.append(label, onThis(job)) }
  }

  func async(flags: Flags, execute job: @escaping @Sendable () -> Void) { line.append(label, onThis(job)) }

  /// Runs the job on the calling thread, one at a time. Jobs sent with `async` may run meanwhile: no queue of
  /// the core has both.
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

/// A queue has one mark, whichever key finds it.
final class DispatchSpecificKey<T: AnyObject>: Sendable {}

/// Blocks a virtual thread. A time that is not the distant future may pass at any moment, so it has passed
/// already.
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
  /// No time passes here.
  var uptimeNanoseconds: UInt64 { 0 }
  static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
  /// The interval between two deadlock checks of a thread that waits. A second check would see what the first
  /// one has seen, so the interval never ends.
  static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { .distantFuture }
  static func < (left: DispatchTime, right: DispatchTime) -> Bool { !left.isDistant && right.isDistant }
}

/// A timer: its time may pass at any moment from now on.
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
