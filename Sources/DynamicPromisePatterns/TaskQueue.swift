// The public interface of the queue. `TaskLine.swift` has the tasks that wait and run,
// `TaskQueue+Running.swift` how a task runs.

import DynamicPromise

/// A queue of asynchronous tasks: at most `width` of them run at a time, and the next one begins when the
/// *promise* that a task has returned has settled.
///
/// A serial dispatch queue orders closures only, and not what they wait for; this queue orders both.
///
///     let uploads = TaskQueue(width: 2)
///     for file in files { uploads.add { upload(file) } }
///     uploads.addBarrier { log("all are there, or have failed") }
///
/// Tasks begin in the order in which they were added, whether those before them succeed or fail. A task
/// returns what a handler may return: a promise or thenable is followed, anything else is the value, an
/// `Error` a rejection. The task counts as running until that has settled, and until an asynchronous closure
/// has returned. A promise that never settles blocks its place for good: give it a timeout. So does a task
/// that waits for one behind it.
///
/// Cancelling what `add` returned, or the last promise that follows it, removes a task that waits, and
/// cancels what a running task has returned, unless somebody else wants it. The next task begins when that
/// has ended. A task runs even if its promise is released, and so do the tasks of a queue that is released.
/// Only a task that waits in a paused queue is rejected with `PromiseError.broken` when nobody holds the
/// queue any more.
///
/// Every method may be called from any thread, and from tasks. The idea of a queue with a width and barriers
/// is FutureLib's.
public final class TaskQueue: Sendable {
  let line: Guarded<TaskLine>
  let context: any ExecutionContext

  /// A queue without tasks.
  ///
  /// - Parameters:
  ///   - width: How many tasks may run at a time; less than one counts as one.
  ///   - context: Where tasks are called, and the default context of their promises; `nil` for
  ///     `Promise.defaultContext`.
  public init(width: Int = 1, on context: (any ExecutionContext)? = nil) {
    line = Guarded(TaskLine(width: width))
    self.context = context is InheritedContext ? Promise.defaultContext : context ?? Promise.defaultContext
  }

  /// Adds a task at the end of the queue; it is called on the queue's context.
  ///
  /// - Returns: A promise that is resolved with what the task returns, or rejected with what it throws.
  @discardableResult
  public func add<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: false, fileID, line)
  }

  /// The same for an asynchronous closure. Cancelling the promise cancels the Swift task; the next one begins
  /// when the closure has returned.
  @discardableResult
  public func add<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: false, fileID, line)
  }

  /// Adds a task that runs alone at the end of the queue: it begins when all tasks before it have ended, with
  /// the promises that they returned, and those behind it begin when it has ended. If it is cancelled before
  /// it begins, it delays nobody.
  ///
  /// - Returns: The same as `add`.
  @discardableResult
  public func addBarrier<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: true, fileID, line)
  }

  /// The same for an asynchronous closure.
  @discardableResult
  public func addBarrier<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: true, fileID, line)
  }

  /// How many tasks may run at a time; less than one counts as one. If it rises, waiting tasks begin at once;
  /// if it falls, no task begins until few enough run.
  public var width: Int {
    get { line.with { $0.width } }
    set {
      line.with { $0.width = max(1, newValue) }
      advance()
    }
  }

  /// Whether the queue begins no tasks at present.
  public var isPaused: Bool { line.with { $0.isPaused } }

  /// Begins no further task until ``resume()``. Tasks that run go on. Calls are not counted: one `resume` is
  /// enough.
  public func pause() { line.with { $0.isPaused = true } }

  /// Begins tasks again after ``pause()``.
  public func resume() {
    line.with { $0.isPaused = false }
    advance()
  }

  /// Cancels all tasks, those that wait and those that run, in the order in which they were added, each as if
  /// what `add` returned for it were cancelled. Tasks that are added meanwhile, by cancel handlers too, are
  /// not cancelled. A paused queue stays paused.
  public func cancelAll(_ reason: Any = CancellationError()) {
    // Taken out first, so that none of them begins because another one is cancelled.
    let (running, waiting) = line.with { ($0.inProgress, $0.takeAllWaiting()) }
    let promises = running + waiting.map { (number: $0.key, promise: $0.value.promise) }
    // A task holds its promise's resolver: released before, it would break the promise instead of cancelling
    // it.
    withExtendedLifetime(waiting) {
      for (_, promise) in promises.sorted(by: { $0.number < $1.number }) { promise.cancel(reason) }
    }
    advance()
  }

  /// How many tasks have not begun.
  public var waitingCount: Int { line.with { $0.waitingCount } }

  /// How many tasks have begun and not ended, also cancelled ones that are still cleaning up.
  public var runningCount: Int { line.with { $0.runningCount } }
}
