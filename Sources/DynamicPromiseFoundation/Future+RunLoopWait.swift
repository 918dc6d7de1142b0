import Dispatch
import DynamicPromise
import Foundation

extension Future {
  /// Runs the current thread's run loop until the promise is settled. For tests and tools.
  ///
  /// Timers, sources, handlers on this loop and, on the main thread, the main queue are served meanwhile; so
  /// this waits even for a promise that depends on them, where `get()` could only throw. Calls may be nested,
  /// with one exception: the main queue runs no block inside of another, so a call from a `thenOnMain`
  /// handler waits for ever for a promise that needs a further one.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  public final func runLoopWait() { _ = runLoop(for: .infinity) }

  /// The same for at most `timeout` seconds. Afterwards the promise goes on. A timeout that is zero, negative
  /// or NaN only looks whether the promise is settled, and does not run the loop.
  ///
  /// - Returns: Whether the promise is settled.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  @discardableResult
  public final func runLoopWait(timeout: Double) -> Bool { runLoop(for: timeout) }

  /// The same with a `Duration`.
  @_disfavoredOverload
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  @discardableResult
  public final func runLoopWait(timeout: Duration) -> Bool { runLoop(for: timeout.inSeconds) }

  private final func runLoop(for seconds: Double) -> Bool {
    guard !isSettled, seconds > 0 else { return isSettled }
    let loop = RunLoop.current
    let alarm = Alarm(loop)
    let watcher = thenOn(.immediate, { _ in alarm.ring() }, { _ in alarm.ring() })
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
      _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: min(left, Alarm.interval)))
    }
    return isSettled
  }
}

/// Ends a run of the loop when the promise is settled.
private final class Alarm: @unchecked Sendable {
  /// For how long the loop runs without a look at the promise. An alarm that fires while a handler runs the
  /// loop ends that inner run, and the outer one is not notified.
  static let interval = 0.1

  private weak var loop: RunLoop?
  /// Used on the loop's thread only.
  var isOn = true

  init(_ loop: RunLoop) { self.loop = loop }

  func ring() {
    guard let loop else { return }
    // From a block of the loop: a stop that comes before the loop runs would be lost.
    loop.perform(inModes: [.default]) {
      if self.isOn { RunLoop.current.leave() }
    }
    loop.wake()
  }
}
