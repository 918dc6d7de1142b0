import DynamicPromise
import Foundation

/// A thread of its own with a run loop, as an execution context: handlers run on that one thread, one at a
/// time and in order, whatever blocks elsewhere.
///
/// For code that must stay on one thread: an interpreter, a C library, timers and streams. The thread ends
/// after ``stop()``, or when nobody holds this object any more, in either case after the handlers that it was
/// given before. Later ones are dropped and break their promises (`PromiseError.broken`).
///
/// For a thread of your own that runs its run loop, take ``RunLoopContext/current`` there.
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

  /// Has `job` run by the thread; drops it if the thread has been stopped.
  public func execute(_ job: @escaping @Sendable () -> Void) { context.execute(job) }

  /// Whether the caller is on the thread.
  public var isBlockedByCaller: Bool { context.isBlockedByCaller }

  /// Ends the thread when it has run what it was given before this call. Returns at once; a second time does
  /// nothing.
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

/// The thread's side. Does not know the object outside, so that nobody's holding that one can be noticed.
private final class Worker: @unchecked Sendable {
  private let name: String
  private let wasStarted = DispatchSemaphore(value: 0)
  private let hasStarted = DispatchSemaphore(value: 0)
  private var context: RunLoopContext?
  // Touched on the thread only.
  private var keepAlive: Timer?
  private var isOver = false

  init(_ name: String) { self.name = name }

  /// The thread's run loop. Called by whoever has started the thread.
  func started() -> RunLoopContext {
    wasStarted.signal()
    hasStarted.wait()
    return context!
  }

  func main() {
    // Here, and no sooner: on Linux a thread does not take a name until `start` has returned.
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
