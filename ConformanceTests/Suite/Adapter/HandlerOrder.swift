import Foundation

/// Where the order of one promise's handlers (2.2.6) can be observed.
public enum HandlerOrder: Sendable {
  /// In their bodies: the context runs them one after another.
  case bodies
  /// At the hand-over to a context that lets bodies overlap. The cases of 2.2.6 that are about order are
  /// then decided by the log, and reported as deviations with this reason even where they hold there.
  case handOver(HandOverLog, reason: String)
}

/// Numbers the jobs that an implementation hands to its context, in the order of the hand-over.
///
/// A recording context passes each job through ``stamp(_:)`` at the moment when it is given the job, before
/// it enqueues it anywhere.
public final class HandOverLog: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var last = 0

  /// An empty log.
  public init() {}

  /// The job, numbered. While the returned job runs, the handlers in it know their number.
  public func stamp(_ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = lock.withLock {
      last += 1
      return last
    }
    return {
      let outer = ThreadLocal.handOver.value
      ThreadLocal.handOver.value = number
      defer { ThreadLocal.handOver.value = outer }
      job()
    }
  }
}
