// The public interface of the queue. `TaskLine.swift` has the waiting and running tasks,
// `TaskQueue+Running.swift` runs tasks.

import DynamicPromise

/// A queue of asynchronous tasks: at most `width` of them run at a time, and the next one starts when a
/// task's *promise* is finished: it has settled, and nothing runs for it any more
/// (`Future.finished(on:)`).
///
/// A serial dispatch queue orders closures, but not the promises that they return; this queue orders both.
///
///     let uploads = TaskQueue(width: 2)
///     for file in files { uploads.add { upload(file) } }
///     uploads.addBarrier { log("all have ended") }
///
/// Tasks start in the order in which they were added, whether earlier ones succeed or fail, unless they
/// have priorities. A task's result is treated like a handler's: a promise or thenable is followed, an
/// `Error` is a rejection, anything else is the value. The task counts as running until that is finished.
/// A promise that never settles occupies its place forever: give it a timeout. So does a task that waits
/// for a later one. On `.immediate` a task is called inside the call that starts it, and the next task starts
/// when that has returned, whatever the width.
///
/// Cancelling the result of `add`, or the last promise that follows it, removes a waiting task. For a
/// running task it cancels the task's promise, unless that has other consumers; the next task starts when
/// that is finished. A task runs even if its promise is released, and so do the tasks of a released queue.
/// Only the waiting tasks of a released paused queue are rejected, with `PromiseError.broken`.
///
/// Every method may be called from any thread, and from tasks. The idea of a queue with a width and
/// barriers is FutureLib's.
public final class TaskQueue: Sendable {
  let line: Guarded<TaskLine>
  let context: any ExecutionContext

  /// A queue without tasks.
  ///
  /// - Parameters:
  ///   - width: The number of tasks that may run at a time; less than one counts as one.
  ///   - context: The context of the tasks, and the default context of their promises; `nil` for
  ///     `Promise.defaultContext`.
  public init(width: Int = 1, on context: (any ExecutionContext)? = nil) {
    line = Guarded(TaskLine(width: width))
    self.context = context is InheritedContext ? Promise.defaultContext : context ?? Promise.defaultContext
  }

  /// Adds a task at the end of the queue; it is called on the queue's context.
  ///
  /// While it waits, it starts before tasks with a lower `priority`, and after those with the same one
  /// that were added before. It never passes a barrier, and running tasks are not affected.
  ///
  /// - Returns: A promise that is resolved with the task's result, or rejected with its error.
  @discardableResult
  public func add<T>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: false, priority: priority, fileID, line)
  }

  /// The same for an asynchronous closure. Cancelling the promise cancels the Swift task; the next task
  /// starts when the closure has returned.
  @discardableResult
  public func add<T>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    enter(Self.started(task), isBarrier: false, priority: priority, fileID, line)
  }

  /// Adds a task at the end of the queue that runs alone. It starts when the promises of all earlier tasks
  /// are finished, and later tasks start when its own is. If it is cancelled before its start, later tasks
  /// do not wait for it.
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

  /// The number of tasks that may run at a time; less than one counts as one. If it rises, waiting tasks
  /// start at once. If it falls, no task starts until fewer tasks than that run.
  public var width: Int {
    get { line.with { $0.width } }
    set {
      line.with { $0.width = max(1, newValue) }
      advance()
    }
  }

  /// Whether the queue is paused.
  public var isPaused: Bool { line.with { $0.isPaused } }

  /// Starts no further task until ``resume()``. Running tasks continue. Calls are not counted: one
  /// `resume` is enough.
  public func pause() { line.with { $0.isPaused = true } }

  /// Starts tasks again after ``pause()``.
  public func resume() {
    line.with { $0.isPaused = false }
    advance()
  }

  /// Cancels all waiting and running tasks, in the order in which they were added, like a cancel of each
  /// result of `add`. Tasks that are added meanwhile, also by cancel hooks, are not cancelled. A paused
  /// queue stays paused.
  public func cancelAll(_ reason: Any = CancellationError()) {
    // Removed first, so that none of them starts because another one is cancelled.
    let (running, waiting) = line.with { ($0.inProgress, $0.takeAllWaiting()) }
    let promises = running + waiting.map { (number: $0.key, promise: $0.value.promise) }
    // A task retains its promise's resolver; an earlier release would break the promise instead of
    // cancelling it.
    withExtendedLifetime(waiting) {
      for (_, promise) in promises.sorted(by: { $0.number < $1.number }) { promise.cancel(reason) }
    }
    advance()
  }

  /// The number of waiting tasks.
  public var waitingCount: Int { line.with { $0.waitingCount } }

  /// The number of running tasks, cancelled ones that are still cleaning up included.
  public var runningCount: Int { line.with { $0.runningCount } }
}
