// Blocking, for tests and command-line tools.

import Dispatch

extension Promise {
  /// Blocks this thread until the promise is settled.
  ///
  /// For tests and tools. Called on a context that the promise's own chain has still to run on (a serial queue, the main
  /// thread), it blocks for ever: use ``get(timeout:)`` where that cannot be excluded.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func wait() { _ = waitUntilSettled(.distantFuture) }

  /// Blocks this thread until the promise is settled; returns the value or throws the reason.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get() throws -> Any {
    wait()
    return try settledResult().get()
  }

  /// The same for at most `timeout` seconds; then throws ``PromiseError/timeout``, and the promise goes on. A timeout that is
  /// zero, negative or NaN only looks whether the promise is settled.
  @available(*, noasync, message: "blocks the thread; use then, or await the value")
  public func get(timeout: Double) throws -> Any {
    guard waitUntilSettled(Promise.deadline(in: timeout)) else { throw PromiseError.timeout }
    return try settledResult().get()
  }

  /// `seconds` from now; now for zero, negative and NaN, never for more than Dispatch can count.
  static func deadline(in seconds: Double) -> DispatchTime {
    guard seconds > 0 else { return .now() }
    guard seconds < 1e9 else { return .distantFuture }
    return .now() + seconds
  }

  private func settledResult() -> Result<Any, any Error> {
    result ?? .failure(PromiseError.broken)
  }

  private func waitUntilSettled(_ deadline: DispatchTime) -> Bool {
    if isSettled {
      markObserved()
      return true
    }
    let waiter = Waiter()
    var agenda = Agenda()
    observe(waiter, &agenda)
    agenda.run()
    let isInTime = waiter.semaphore.wait(timeout: deadline) == .success
    if !isInTime { forget(waiter) }
    return isInTime
  }
}

/// Wakes a blocked thread. The thread holds the promise while it waits.
private final class Waiter: Observer {
  let semaphore = DispatchSemaphore(value: 0)

  override func settled(_ promise: Promise, _ agenda: inout Agenda) { semaphore.signal() }
}
