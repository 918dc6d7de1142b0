// The newest of several calls.
//
// OWNERSHIP. latest ─▶ root of the newest call ─▶ its promise, while that promise is pending. The
// promise's `whenSettled` closure refers to the `Latest` weakly.

import DynamicPromise

/// Runs calls of which only the newest counts, such as a search while the user types.
///
///     let searches = Latest(pause: 0.3)
///     searches.run { search(text) }.thenOnMain { (found: [String]) in model.results = found }
///
/// A new call cancels the promise of the previous call and everything below it: handlers for the previous
/// value do not run, even if they are scheduled. The promise that the previous task returned is cancelled
/// too, unless it has other consumers. A task that is replaced before its start is never called.
///
/// A running call continues if its promise or the `Latest` is released. Every method may be called from any
/// thread.
public final class Latest: Sendable {
  private struct Call {
    /// The root above the call's promise. It retains nothing of a settled call, because it has no value.
    var root: Promise?
    var promise: WeakPromise?
  }

  private let newest = Guarded(Call())
  private let observers = Guarded<[RunningObserver]>([])
  private let queue: TaskQueue
  private let pause: Double

  /// A ``Latest`` that has no call yet.
  ///
  /// - Parameters:
  ///   - pause: The number of seconds between a call and the start of its task. If calls follow one another
  ///     faster, only the last task starts (*debounce*). With zero, a negative number or NaN tasks start at
  ///     once.
  ///   - waitsForCleanUp: Whether a task starts only when all earlier tasks are finished. Otherwise the
  ///     clean-up of a cancelled task may overlap with the next task.
  ///   - context: The context of the tasks, and the default context of their promises; `nil` for
  ///     `Promise.defaultContext`. If the context is a `TimerContext`, its clock measures the pause;
  ///     otherwise the system's clock does.
  public init(
    pause: Double = 0, waitsForCleanUp: Bool = false, on context: (any ExecutionContext)? = nil
  ) {
    queue = TaskQueue(width: waitsForCleanUp ? 1 : .max, on: context)
    self.pause = pause
  }

  /// Cancels the previous call, and runs `task` on the context after the pause.
  ///
  /// - Returns: A promise that is resolved with the task's result, or rejected with its error.
  @discardableResult
  public func run<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () throws -> T
  ) -> Promise {
    start { $0.add(fileID: fileID, line: line, task) }
  }

  /// Cancels the previous call, and starts the asynchronous `task` after the pause. The next call cancels the
  /// Swift task.
  @discardableResult
  public func run<T>(
    fileID: StaticString = #fileID, line: UInt = #line, _ task: @escaping @Sendable () async throws -> T
  ) -> Promise {
    start { $0.add(fileID: fileID, line: line, task) }
  }

  private func start(_ add: @escaping @Sendable (TaskQueue) -> Promise) -> Promise {
    let root = Promise(on: queue.context)
    let promise = root.thenOn(.immediate) { [queue] _ in add(queue) }
    promise.whenSettled { [weak self] in self?.noteChange() }
    // Stores this call before the former call is cancelled, so that handlers of the former call read
    // `isRunning` as `true`.
    replace(Call(root: root, promise: WeakPromise(promise)), CancellationError())
    if pause > 0 { root.bind(.delay(pause, on: queue.context)) } else { root.fulfill(()) }
    return promise
  }

  /// Cancels the newest call, as a new call would. Calls after this cancel are not affected.
  public func cancel(_ reason: Any = CancellationError()) { replace(Call(), reason) }

  private func replace(_ call: Call, _ reason: Any) {
    let former = newest.with { newest in
      defer { newest = call }
      return newest.root
    }
    noteChange()
    former?.cancel(reason)
  }

  /// Whether the promise of the newest call is pending, including the pause.
  public var isRunning: Bool { newest.with { $0.promise }?.value?.isPending ?? false }

  /// Calls `body` with ``isRunning`` whenever it has changed. `body` runs on `context`, or on the context of
  /// the tasks if `context` is `nil`. Calls of `body` do not overlap. Fast changes may be skipped, but the
  /// last call has the current state. The closure is retained until the `Latest` is released.
  public func onRunning(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable (Bool) -> Void
  ) {
    let observer = RunningObserver(context ?? queue.context, isRunning, body)
    observers.with { $0.append(observer) }
    noteChange()
  }

  /// Calls `body` on the main actor with ``isRunning`` whenever it has changed, like ``onRunning(on:_:)``.
  public func onRunningOnMain(_ body: @escaping @MainActor (Bool) -> Void) {
    onRunning(on: .main) { isRunning in MainActor.assumeIsolated { body(isRunning) } }
  }

  private func noteChange() {
    for observer in observers.with({ $0 }) { observer.schedule { [weak self] in self?.isRunning } }
  }
}

/// Calls a closure when the state has changed.
private final class RunningObserver: Sendable {
  private struct Reports {
    var last: Bool
    var isCalling = false
  }

  private let context: any ExecutionContext
  private let reports: Guarded<Reports>
  private let body: @Sendable (Bool) -> Void

  init(_ context: any ExecutionContext, _ last: Bool, _ body: @escaping @Sendable (Bool) -> Void) {
    self.context = context
    reports = Guarded(Reports(last: last))
    self.body = body
  }

  /// Reports the current state. Reads the state inside the job, because jobs may run in another order.
  func schedule(_ state: @escaping @Sendable () -> Bool?) {
    context.execute { [self] in
      while let now = state(), begins(with: now) {
        body(now)
        reports.with { $0.isCalling = false }
      }
    }
  }

  /// Returns `false` if the state has already been reported, or if a running call will read the state again.
  private func begins(with now: Bool) -> Bool {
    reports.with { reports in
      guard now != reports.last, !reports.isCalling else { return false }
      reports = Reports(last: now, isCalling: true)
      return true
    }
  }
}
