// An execution context that a test steps by hand. This file contains the queue of jobs,
// `TestContext+Clock.swift` the clock, and `TestContext+Waiting.swift` the waits for other threads.

import Dispatch
import DynamicPromise

/// An execution context that runs nothing by itself. A test runs the context's jobs one by one, on the test's
/// own thread, and advances the context's clock. As a result, every run has the same order.
///
///     let context = TestContext()
///     let promise = Promise(on: context)
///     let doubled = promise.then { $0 as! Int * 2 }
///     promise.fulfill(21)
///     context.step()  // runs the handler; doubled is fulfilled
///
/// Jobs run first in, first out, on the stack of the caller of `step()`. A job may use the context, because
/// no lock is held. If this context is the default context of a promise, the context's clock measures the
/// promise's timers (`setTimeout`, `delay`).
///
/// Every method may be called from any thread and, except `waitForJob(timeout:)`, from async code.
/// `waitForJob(timeout:)` blocks its thread; async tests use ``nextJob(timeout:)`` instead.
public final class TestContext: TimerContext, WaitAwareContext, @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  /// The state that the lock guards.
  struct State {
    var jobs: [Job] = []
    /// The number of jobs at the front of the array that were removed from the queue.
    var taken = 0
    var now = 0.0
    var timers = TimerHeap()
    var waiters = Waiters()
    /// The threads that are running jobs, one entry for each job.
    var steppers: [UInt] = []

    var pendingJobs: Int { jobs.count - taken }

    /// Removes the oldest job from the queue.
    mutating func next() -> Job? {
      guard taken < jobs.count else { return nil }
      let job = jobs[taken]
      taken += 1
      // The array is shortened in blocks, so that a step has constant cost.
      if taken == jobs.count || taken == 4096 {
        jobs.removeFirst(taken)
        taken = 0
      } else {
        jobs[taken - 1] = { @Sendable in }
      }
      return job
    }
  }

  private let queue = DispatchQueue(label: "DynamicPromiseTesting.TestContext")
  private var state = State()

  /// A context without jobs, whose clock is at 0.
  public init() {}

  /// Runs `body` with the state, under the lock. After this call, without the lock, the caller runs or
  /// releases the jobs that `body` removed.
  func locked<Result>(_ body: (inout State) -> Result) -> Result { queue.sync { body(&state) } }

  // MARK: Jobs

  /// Enqueues `job`, for `step()` and similar calls.
  public func execute(_ job: @escaping @Sendable () -> Void) { enqueue([job]) }

  func enqueue(_ jobs: [Job]) {
    let waiters = locked { state in
      state.jobs += jobs
      return state.waiters.takeAll(for: .job)
    }
    for wake in waiters { wake() }
  }

  /// The number of enqueued jobs. Timers that are not due do not count.
  public var pendingJobs: Int { locked { $0.pendingJobs } }

  /// Runs the oldest job on this stack.
  ///
  /// - Returns: `false` if no job was enqueued.
  @discardableResult
  public func step() -> Bool {
    let thread = CurrentThread.id
    let job = locked { state -> Job? in
      guard let job = state.next() else { return nil }
      state.steppers.append(thread)
      return job
    }
    guard let job else { return false }
    job()
    locked { state in
      if let index = state.steppers.lastIndex(of: thread) { state.steppers.remove(at: index) }
    }
    return true
  }

  /// Whether the caller is running a job of this context. If so, a blocking wait fails for a promise that
  /// needs another step, even if another thread could call `step()`.
  public var isBlockedByCaller: Bool {
    let thread = CurrentThread.id
    return locked { $0.steppers.contains(thread) }
  }

  /// Runs all jobs, including the jobs that they enqueue, until the queue is empty. The clock does not move.
  ///
  /// - Parameter limit: The maximal number of jobs, for programs that never end. Zero or less runs none.
  /// - Returns: The number of jobs that have run.
  @discardableResult
  public func drain(limit: Int = .max) -> Int {
    var count = 0
    while count < limit, step() { count += 1 }
    return count
  }

  /// Releases all jobs and timers without running them, like a context that ends. The promises of the
  /// released handlers are rejected with `PromiseError.broken`, on this stack.
  public func dropAll() {
    let dropped = locked { state in
      let all = Array(state.jobs[state.taken...]) + state.timers.removeAll()
      state.jobs = []
      state.taken = 0
      return all
    }
    withExtendedLifetime(dropped) {}
  }
}
