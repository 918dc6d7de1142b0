import DynamicPromise
import Foundation

/// A thread with a run loop, as an execution context: handlers run on that one thread, one at a time and in
/// order.
///
/// Use it for code that must stay on one thread: an interpreter, a C library, timers and streams. The thread
/// ends after ``stop()``, or when this object is freed. In both cases the thread first runs the handlers that
/// are already scheduled. Later handlers are dropped, and their promises are rejected with
/// `PromiseError.broken`.
///
/// For a thread that you run yourself, use ``RunLoopContext/current`` on that thread.
public final class RunLoopThread: WaitAwareContext {
  /// The thread's name.
  public let name: String

  private let worker: Worker
  private let context: RunLoopContext

  /// Starts the thread.
  public init(name: String, qualityOfService: QualityOfService = .default) {
    self.name = name
    let worker = Worker(name)
    let thread = Thread { worker.main() }
    thread.qualityOfService = qualityOfService
    thread.start()
    self.worker = worker
    context = worker.started()
  }

  deinit { stop() }

  /// Schedules `job` on the thread; drops it if the thread has been stopped.
  public func execute(_ job: @escaping @Sendable () -> Void) { context.execute(job) }

  /// Whether the caller is on the thread.
  public var isBlockedByCaller: Bool { context.isBlockedByCaller }

  /// Ends the thread after the jobs that were scheduled before this call. Returns at once. A second call
  /// has no effect.
  public func stop() { context.execute(last: worker.end) }
}

extension Thread {
  /// Starts a thread that runs handlers on its run loop: `thenOn(thread)`.
  public static func withRunLoop(
    name: String, qualityOfService: QualityOfService = .default
  ) -> RunLoopThread {
    RunLoopThread(name: name, qualityOfService: qualityOfService)
  }
}

/// The state that the thread uses. It does not retain the `RunLoopThread`, whose `deinit` ends the thread.
private final class Worker: @unchecked Sendable {
  private let name: String
  private let wasStarted = DispatchSemaphore(value: 0)
  private let hasStarted = DispatchSemaphore(value: 0)
  private var context: RunLoopContext?
  // Used on the thread only.
  private var keepAlive: Timer?
  private var isOver = false

  init(_ name: String) { self.name = name }

  /// Waits until the thread has a run loop. Called on the thread that created the worker.
  func started() -> RunLoopContext {
    wasStarted.signal()
    hasStarted.wait()
    return context!
  }

  func main() {
    // The name is set here, because on Linux a name has no effect if it is set before `start` has returned.
    wasStarted.wait()
    Thread.current.name = name
    let loop = RunLoop.current
    keepAlive = loop.keepAlive(in: .default)
    context = RunLoopContext(loop)
    hasStarted.signal()
    while !isOver {
      #if canImport(ObjectiveC)
        autoreleasepool { _ = loop.run(mode: .default, before: .distantFuture) }
      #else
        _ = loop.run(mode: .default, before: .distantFuture)
      #endif
    }
  }

  /// The last job; when it has returned, the mailbox ends the run of the loop.
  @Sendable func end() {
    isOver = true
    keepAlive?.invalidate()
    keepAlive = nil
  }
}
