// The public interface of the queue. `TaskLine.swift` contains the waiting and running tasks,
// `TaskQueue+Running.swift` runs tasks.

import DynamicPromise

/// A queue of asynchronous tasks. At most `width` tasks run at a time. The next task starts when a task's
/// *promise* is finished: the promise has settled, and none of its work is running (`Promise.finished(on:)`).
///
/// A serial dispatch queue orders closures, but not the promises that they return; this queue orders both.
///
///     let uploads = TaskQueue(width: 2)
///     for file in files { uploads.add { upload(file) } }
///     uploads.addBarrier { log("all have ended") }
///
/// Tasks start in the order in which they were added, unless they have priorities. A failed task does not
/// stop later ones. A task's result is treated like a handler's. Give a timeout to a promise that may never
/// settle; otherwise it occupies its place forever. A task must not wait for a later task.
///
/// Cancelling the result of `add`, or the last promise that follows it, removes a waiting task. If the task
/// is running, the promise that it returned is cancelled, unless that promise has other consumers.
///
/// A task runs even if its promise or the queue is released. Exception: when a paused queue is released, the
/// promises of its waiting tasks, and of ``idle()``, are rejected with `PromiseError.broken`.
///
/// Every method may be called from any thread. (The idea of a width and barriers is from FutureLib.)
public final class TaskQueue: Sendable {
  let line: Guarded<TaskLine>
  let context: any ExecutionContext

  /// A queue without tasks.
  ///
  /// - Parameters:
  ///   - width: The number of tasks that may run at a time; a width below one counts as one.
  ///   - context: The context of the tasks, and the default context of their promises; `nil` for
  ///     `Promise.defaultContext`.
  public init(width: Int = 1, on context: (any ExecutionContext)? = nil) {
    line = Guarded(TaskLine(width: width))
    self.context = context ?? Promise.defaultContext
  }

  /// Adds a task at the end of the queue. The task is called on the queue's context.
  ///
  /// A waiting task starts before tasks with a lower `priority`, and after earlier tasks with the same
  /// priority. A task never overtakes a barrier. Running tasks are not affected.
  ///
  /// - Returns: A promise that is resolved with the task's result, or rejected with its error.
  @discardableResult
  public func add<T>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    enter({ try task() as Any }, isBarrier: false, priority: priority, fileID, line)
  }

  /// Adds an asynchronous task at the end of the queue, like `add` with a synchronous closure. Cancelling the
  /// promise cancels the Swift task; the next task starts when the closure has returned.
  @discardableResult
  public func add<T>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    enter({ Promise { try await task() as Any? } }, isBarrier: false, priority: priority, fileID, line)
  }

  /// Adds a barrier at the end of the queue: a task that runs alone, after all earlier tasks and before all
  /// later ones. If the barrier is cancelled before its start, later tasks do not wait for it.
  ///
  /// - Returns: A promise that is resolved with the task's result, or rejected with its error.
  @discardableResult
  public func addBarrier<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    enter({ try task() as Any }, isBarrier: true, fileID, line)
  }

  /// Adds an asynchronous barrier at the end of the queue, like `addBarrier` with a synchronous closure.
  @discardableResult
  public func addBarrier<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    enter({ Promise { try await task() as Any? } }, isBarrier: true, fileID, line)
  }

  /// The number of tasks that may run at a time; a width below one counts as one. If the width grows, waiting
  /// tasks start at once.
  public var width: Int {
    get { line.with { $0.width } }
    set {
      line.with { $0.width = max(1, newValue) }
      advance()
    }
  }

  /// Whether the queue is paused.
  public var isPaused: Bool { line.with { $0.isPaused } }

  /// Starts no further task until ``resume()``. Running tasks continue: see ``runningEnded()``.
  public func pause() { line.with { $0.isPaused = true } }

  /// Starts tasks again after ``pause()``.
  public func resume() {
    line.with { $0.isPaused = false }
    advance()
  }

  /// Fulfilled with `()` as soon as no task waits or runs. A paused queue with waiting tasks is not idle.
  public func idle() -> Promise { end { $0.watchIdle($1) } }

  /// Fulfilled with `()` as soon as the tasks that are running now have ended, even if the queue is paused.
  public func runningEnded() -> Promise { end { $0.watchRunning($1) } }

  private func end(_ watch: (inout TaskLine, Resolver) -> Void) -> Promise {
    let (promise, resolver) = Promise.pending(on: context)
    line.with { watch(&$0, resolver) }
    reportEnds()
    return promise
  }

  /// Cancels all waiting and running tasks, in the order in which they were added, like a cancel of each
  /// result of `add`. Tasks that are added during the call, even by cancel hooks, are not cancelled. A paused
  /// queue stays paused.
  public func cancelAll(_ reason: Any = CancellationError()) {
    // Waiting tasks are removed first, so that none starts when another task is cancelled.
    let (running, waiting) = line.with { ($0.inProgress, $0.takeAllWaiting()) }
    let promises = running + waiting.map { (number: $0.key, promise: $0.value.promise) }
    // Retains the waiting tasks, and thereby their resolvers, until their promises are cancelled. An earlier
    // release of a resolver would reject its promise with `broken`.
    withExtendedLifetime(waiting) {
      for (_, promise) in promises.sorted(by: { $0.number < $1.number }) { promise.cancel(reason) }
    }
    advance()
  }

  /// The number of waiting tasks.
  public var waitingCount: Int { line.with { $0.waitingCount } }

  /// The number of running tasks, including cancelled tasks that are not finished.
  public var runningCount: Int { line.with { $0.runningCount } }
}
