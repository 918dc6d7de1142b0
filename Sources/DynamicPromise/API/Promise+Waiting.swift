// Blocking, for tests and command-line tools.

import Dispatch

extension Promise {
  /// Blocks this thread until the promise is settled. For tests and tools; `false` at once if it is certain
  /// that the promise cannot settle before the calling thread returns.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  @discardableResult
  public func wait() -> Bool { waitUntilSettled(.distantFuture) == .settled }

  /// Blocks this thread until the promise is settled, but for at most `timeout` seconds; returns the value or
  /// throws the reason. After that time, the call throws ``PromiseError/timeout``, and the promise continues.
  ///
  /// For tests and tools. Throws ``PromiseError/wouldDeadlock`` as soon as it is certain that the promise
  /// cannot settle before the calling thread returns: it may need a handler on a serial queue whose block
  /// this thread runs, or on the main queue, if this is the main thread.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get(timeout: Double = .infinity) throws -> Any {
    guard timeout > 0 || isSettled else { throw PromiseError.timeout }
    return try outcome(before: Promise.deadline(in: timeout)).get()
  }

  /// The value as a `T`, awaited like ``get(timeout:)``. A value of another type throws
  /// ``PromiseError/typeMismatch(expected:found:index:at:)``.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get<T>(as type: T.Type, timeout: Double = .infinity) throws -> T {
    try Wrap.cast(get(timeout: timeout))
  }
}

extension Promise {
  /// Runs `body`, which runs the thread's run loop, after what the thread has still to run.
  package static func runningLoop<Result>(_ body: () -> Result) -> Result { Turn.current.wait(body) }

  /// The time `seconds` from now: the present if `seconds` is zero, negative or NaN; the distant future if
  /// `seconds` is 1e9 or more.
  static func deadline(in seconds: Double) -> DispatchTime {
    guard seconds > 0 else { return .now() }
    guard seconds < 1e9 else { return .distantFuture }
    return .now() + seconds
  }

  fileprivate func outcome(before deadline: DispatchTime) throws -> Result<Any, any Error> {
    switch waitUntilSettled(deadline) {
    case .settled: result ?? .failure(PromiseError.broken)
    case .timedOut: throw PromiseError.timeout
    case .wouldDeadlock: throw PromiseError.wouldDeadlock
    }
  }

  fileprivate func waitUntilSettled(_ deadline: DispatchTime) -> WaitResult {
    if !isSettled { Turn.current.drainBeforeWaiting() }
    if isSettled {
      markObserved()
      return .settled
    }
    if isBlockedByCaller { return .wouldDeadlock }
    let waiter = Waiter(at: core.lock)
    let turn = Turn.current
    observe(waiter, turn)
    turn.drain()
    let result = waiter.wait(for: self, until: deadline)
    if result != .settled { forget(waiter) }
    return result
  }
}

private enum WaitResult { case settled, timedOut, wouldDeadlock }

/// A waiting thread.
private final class Waiter: Observer {
  /// Milliseconds between two deadlock checks.
  private static let interval = (first: 10, last: 1280)

  private let semaphore = DispatchSemaphore(value: 0)

  init(at place: TreeLock) { super.init(isConsumer: true, at: place) }

  override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
    turn.submit(.call { [semaphore] in semaphore.signal() })
  }

  func wait(for promise: Promise, until deadline: DispatchTime) -> WaitResult {
    var interval = Self.interval.first
    while true {
      let next = DispatchTime.now() + .milliseconds(interval)
      let isLast = deadline < next
      if semaphore.wait(timeout: isLast ? deadline : next) == .success { return .settled }
      // The promise may have settled while the notification of this observer is queued behind handlers.
      if promise.isSettled { return .settled }
      if isLast { return .timedOut }
      if promise.isBlockedByCaller { return .wouldDeadlock }
      interval = min(interval * 2, Self.interval.last)
    }
  }
}
