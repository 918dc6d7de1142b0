import DynamicPromise
import Foundation

/// A run loop as an execution context. Handlers run on the loop's thread, one at a time and in order,
/// whenever the loop runs in a common mode. Scheduling a handler wakes a sleeping loop.
///
/// All contexts of one loop share one queue. Between two handlers the loop serves its timers and other
/// sources. A handler may run the loop itself (``DynamicPromise/Promise/runLoopWait()``); later handlers then
/// run inside that run. Handlers on the loop of an ended thread are dropped, because a context does not
/// retain its loop. Their promises are rejected with `PromiseError.broken`.
public struct RunLoopContext: WaitAwareContext {
  private let mailbox: RunLoopMailbox

  /// A context for `loop`, which may belong to another thread.
  public init(_ loop: RunLoop) { mailbox = .of(loop) }

  /// The run loop of the calling thread. The caller must run the loop.
  @available(*, noasync, message: "a task has no thread of its own")
  public static var current: RunLoopContext { RunLoopContext(RunLoop.current) }

  /// The run loop of the main thread.
  public static let main = RunLoopContext(RunLoop.main)

  /// Schedules `job` on the loop; drops it if the loop's thread has ended.
  public func execute(_ job: @escaping @Sendable () -> Void) { mailbox.post(job) }

  /// Whether the caller is on the loop's thread, which runs no handlers while the caller blocks it.
  public var isBlockedByCaller: Bool { mailbox.isOfCallingThread }

  /// Schedules `job` like `execute(_:)`, and drops all later jobs.
  func execute(last job: @escaping @Sendable () -> Void) { mailbox.post(job, isLast: true) }
}

extension ExecutionContext where Self == RunLoopContext {
  /// The run loop of the main thread. Unlike handlers of the main queue, handlers of this context may nest:
  /// while a handler runs the loop, other handlers run.
  public static var mainRunLoop: RunLoopContext { RunLoopContext.main }

  /// A run loop, which may belong to another thread.
  public static func runLoop(_ loop: RunLoop) -> RunLoopContext { RunLoopContext(loop) }
}
