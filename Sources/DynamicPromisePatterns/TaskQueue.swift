// The face of the queue. `TaskLine.swift`: who waits and who runs; `TaskQueue+Running.swift`: how a task
// runs.

import DynamicPromise

/// A queue of asynchronous tasks: at most `width` of them run at a time, and the next one begins when what a
/// task has returned, a *promise*, has settled.
///
/// A serial dispatch queue orders closures only, not what they wait for; this orders the whole of it.
///
///     let uploads = TaskQueue(width: 2)
///     for file in files { uploads.add { upload(file) } }
///     uploads.addBarrier { log("all are there, or have failed") }
///
/// Tasks begin in the order in which they were added; how they end makes no difference to those behind them.
/// A task returns what a handler may return: a promise or thenable is followed, anything else is the value,
/// an `Error` a rejection. It keeps its place until that has settled, and until an asynchronous closure has
/// returned. A promise that never settles keeps it for good: give it a timeout. So does a task that waits for
/// one behind it.
///
/// Cancelling what `add` returned, or the last of those who follow it, takes a task
/// that waits out of the queue, and cancels one that runs with all that nobody else wants. The next one
/// begins when that has been cleaned up. A task whose promise is dropped runs all the same, and so do those
/// of a queue that is dropped. Only what waits in a paused queue that nobody holds any more is rejected with
/// `PromiseError.broken`.
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

  /// Puts a task at the end of the queue; it is called on the queue's context.
  ///
  /// - Returns: Resolved with what the task returns; rejected with what it throws.
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

  /// Puts a task at the end of the queue that runs alone: it begins when all before it have ended, with all
  /// that they returned, and those behind it begin when it has ended. Cancelled before its turn it holds
  /// nobody up.
  ///
  /// - Returns: As `add`.
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

  /// How many tasks may run at a time. A wider queue begins more at once, a narrower one waits until few
  /// enough run; less than one counts as one.
  public var width: Int {
    get { line.with { $0.width } }
    set {
      line.with { $0.width = max(1, newValue) }
      advance()
    }
  }

  /// Whether no task begins at present.
  public var isPaused: Bool { line.with { $0.isPaused } }

  /// Begins no further task until ``resume()``. Those that run go on. Not counted: one `resume` is enough.
  public func pause() { line.with { $0.isPaused = true } }

  /// Goes on after ``pause()``.
  public func resume() {
    line.with { $0.isPaused = false }
    advance()
  }

  /// Cancels all tasks, those that wait and those that run, in the order in which they were added, each as if
  /// what `add` returned for it were cancelled. What is added later, from the cancel handlers too, is not
  /// touched. A paused queue stays paused.
  public func cancelAll(_ reason: Any = CancellationError()) {
    // Taken out first: what one of them lets begin is none of them.
    let (running, waiting) = line.with { ($0.inProgress, $0.takeAllWaiting()) }
    let promises = running.merging(waiting.mapValues(\.promise)) { promise, _ in promise }
    // With a task goes its promise's resolver: a promise that lost it before would be broken, not cancelled.
    withExtendedLifetime(waiting) {
      for (_, promise) in promises.sorted(by: { $0.key < $1.key }) { promise.cancel(reason) }
    }
    advance()
  }

  /// How many tasks wait for their turn.
  public var waitingCount: Int { line.with { $0.waitingCount } }

  /// How many tasks have begun and not ended, cancelled ones that are still cleaning up included.
  public var runningCount: Int { line.with { $0.runningCount } }
}
