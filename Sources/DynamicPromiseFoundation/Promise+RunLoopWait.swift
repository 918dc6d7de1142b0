import Dispatch
import DynamicPromise
import Foundation

extension Promise {
  /// Runs the current thread's run loop until the promise is settled. For tests and tools.
  ///
  /// During the wait, the loop serves its timers, sources and handlers. On the main thread, it also serves
  /// the main queue. This call can wait for a promise that depends on this work, where `get()` would throw or
  /// hang. A call from a `thenOnMain` handler hangs if the promise needs another block of the main queue,
  /// because these blocks never nest. Other calls may nest.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  public func runLoopWait() { _ = runLoop(for: .infinity) }

  /// Runs the run loop like ``runLoopWait()``, but for at most `timeout` seconds. The timeout does not affect
  /// the promise. With zero, a negative number or NaN the loop does not run.
  ///
  /// - Returns: Whether the promise is settled.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  @discardableResult
  public func runLoopWait(timeout: Double) -> Bool { runLoop(for: timeout) }

  private final func runLoop(for seconds: Double) -> Bool {
    guard !isSettled, seconds > 0 else { return isSettled }
    let loop = RunLoop.current
    let alarm = Alarm(loop)
    let watcher = thenOn(.immediate, { _ in alarm.ring() }, { _ in alarm.ring() }).ignoreErrors()
    let keepAlive = loop.keepAlive(in: .default)
    defer {
      keepAlive.invalidate()
      alarm.isOn = false
      watcher.cancel()
    }
    let start = DispatchTime.now().uptimeNanoseconds
    while !isSettled {
      let left = seconds - Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
      guard left > 0 else { break }
      let limit = Date(timeIntervalSinceNow: min(left, Alarm.interval))
      Promise.runningLoop { if !isSettled { _ = loop.run(mode: .default, before: limit) } }
    }
    return isSettled
  }
}

/// Ends a run of the loop when the promise is settled.
private final class Alarm: @unchecked Sendable {
  /// The seconds that the loop runs between two checks of the promise. The outer run must check the promise,
  /// because an alarm that rings while a handler runs the loop ends only that inner run.
  static let interval = 0.1

  private weak var loop: RunLoop?
  /// Used on the loop's thread only.
  var isOn = true

  init(_ loop: RunLoop) { self.loop = loop }

  func ring() {
    guard let loop else { return }
    // A block of the loop stops the loop, because a stop before the loop runs would be lost.
    loop.perform(inModes: [.default]) {
      if self.isOn { RunLoop.current.leave() }
    }
    loop.wake()
  }
}
