import DynamicPromise

extension Future {
  /// Runs the current thread's run loop until the outcome is there: see ``DynamicPromise/Promise/runLoopWait()``.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  public func runLoopWait() { promise.runLoopWait() }

  /// The same for at most `timeout` seconds: see ``DynamicPromise/Promise/runLoopWait(timeout:)``.
  ///
  /// - Returns: Whether the outcome is there.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  @discardableResult
  public func runLoopWait(timeout: Double) -> Bool { promise.runLoopWait(timeout: timeout) }
}
