// Lets a test wait for other threads and tasks.

import Dispatch
import DynamicPromise

extension TestContext {
  /// Suspends until a job is enqueued, and runs none. Use it if other threads, the main queue or async code
  /// settle a promise. Call `step()`, `drain()` or `advance(by:)` afterwards.
  ///
  ///     page.bind(Promise { try await load("page") })
  ///     try await context.nextJob()  // the load has settled `page`
  ///     context.drain()
  ///
  /// Throws `PromiseError.timeout` if no job is enqueued within `timeout` seconds of the system's clock, and
  /// `CancellationError` if the task is cancelled.
  public func nextJob(timeout: Double = 20) async throws { try await suspend(until: .job, timeout: timeout) }

  /// Suspends until a timer with a finite time is set, like ``nextJob(timeout:)``. Use it if another thread
  /// calls `delay` or `setTimeout`. Afterwards `advance(by:)` finds the timer.
  public func nextTimer(timeout: Double = 20) async throws {
    try await suspend(until: .timer, timeout: timeout)
  }

  /// Runs the context's jobs until nothing is left to run: here, on the main queue, and on actors. The clock
  /// does not move. Handlers on the main queue and on actors may follow each other; a hundred steps in a row
  /// on the main queue alone are awaited. For other threads and async work, use ``nextJob(timeout:)`` first.
  ///
  /// Jobs run on the caller's actor. Throws `PromiseError.timeout` if there is no end within `timeout`
  /// seconds, and `CancellationError` if the task is cancelled.
  public func settle(timeout: Double = 20, isolation: isolated (any Actor)? = #isolation) async throws {
    let end = DispatchTime.now() + (timeout > 0 ? min(timeout, Self.forever) : 0)
    var quiet = 0
    while quiet < 100 {
      try Task.checkCancellation()
      if DispatchTime.now() > end { throw PromiseError.timeout }
      let ran = drain(limit: 10_000)
      await withCheckedContinuation(isolation: isolation) { turn in DispatchQueue.main.async { turn.resume() }
      }
      quiet = ran > 0 || pendingJobs > 0 || Promise.isAnActorBusy ? 0 : quiet + 1
    }
  }

  private func suspend(until event: Event, timeout: Double) async throws {
    let number = locked { $0.waiters.newNumber() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = locked { state in
          if state.has(event) || !(timeout > 0) { return false }
          state.waiters.add(number, for: event) { continuation.resume() }
          return true
        }
        if !waits { return continuation.resume() }
        // Wakes the waiter if the task was cancelled before the waiter was added, because that cancel woke no
        // waiter.
        if Task.isCancelled { return wake(number) }
        if timeout < Self.forever {
          DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in self?.wake(number) }
        }
      }
    } onCancel: {
      wake(number)
    }
    if locked({ $0.has(event) }) { return }
    try Task.checkCancellation()
    throw PromiseError.timeout
  }

  private func wake(_ number: Int) {
    let waiter = locked { $0.waiters.take(number) }
    waiter?()
  }

  /// Blocks this thread until a job is enqueued, for at most `timeout` seconds, and returns whether one is.
  /// For synchronous tests; Swift Testing runs them on the threads of async code, so an async test uses
  /// ``nextJob(timeout:)``.
  @available(*, noasync, message: "blocks the thread", renamed: "nextJob(timeout:)")
  public func waitForJob(timeout: Double) -> Bool {
    let sleeper = DispatchSemaphore(value: 0)
    let number = locked { state -> Int? in
      if state.has(.job) { return nil }
      let number = state.waiters.newNumber()
      state.waiters.add(number, for: .job) { sleeper.signal() }
      return number
    }
    guard let number else { return true }
    let deadline: DispatchTime =
      timeout > 0 ? (timeout < Self.forever ? .now() + timeout : .distantFuture) : .now()
    _ = sleeper.wait(timeout: deadline)
    return locked { state in
      _ = state.waiters.take(number)
      return state.has(.job)
    }
  }

  /// A timeout of this many seconds or more never ends, because Dispatch cannot count much longer times.
  private static var forever: Double { 1e9 }

  /// An event that a test can wait for.
  enum Event { case job, timer }

  /// The waiting threads and tasks. Each waiter is woken once, without the lock.
  struct Waiters {
    typealias Wake = @Sendable () -> Void

    private var entries: [Int: (event: Event, wake: Wake)] = [:]
    private var numbers = 0

    mutating func newNumber() -> Int {
      numbers += 1
      return numbers
    }

    mutating func add(_ number: Int, for event: Event, _ wake: @escaping Wake) {
      entries[number] = (event, wake)
    }

    mutating func take(_ number: Int) -> Wake? { entries.removeValue(forKey: number)?.wake }

    mutating func takeAll(for event: Event) -> [Wake] {
      if entries.isEmpty { return [] }
      let numbers = entries.filter { $0.value.event == event }.keys.sorted()
      return numbers.compactMap { take($0) }
    }
  }
}

extension TestContext.State {
  func has(_ event: TestContext.Event) -> Bool {
    switch event {
    case .job: pendingJobs > 0
    case .timer: timers.firstDue.map { $0 < .infinity } ?? false
    }
  }
}
