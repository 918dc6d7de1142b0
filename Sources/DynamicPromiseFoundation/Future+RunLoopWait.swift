import Dispatch
import DynamicPromise
import Foundation

extension Future {
  /// Runs the current thread's run loop until the promise is settled. For tests and tools.
  ///
  /// Timers, sources, handlers on this loop and, on the main thread, the main queue go on meanwhile; so the
  /// promise may depend on them, where `get()` could only throw. May be nested. One thing cannot be nested:
  /// the main queue runs no block inside of another, so a call from a `thenOnMain` handler waits for ever for
  /// a promise that needs a further one.
  @available(*, noasync, message: "runs a run loop; use then, or await the value")
  public final func runLoopWait() { _ = runLoop(for: .infinity) }

  /// The same for at most `timeout` seconds; then the promise goes on, and nothing is left behind. A timeout
  /// that is zero, negative or NaN only looks whether the promise is settled, and does not run the loop.
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
      _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: min(left, Alarm.nap)))
    }
    return isSettled
  }
}

/// Ends a run of the loop when the promise is settled.
private final class Alarm: @unchecked Sendable {
  /// How long the loop runs without a look at the promise. An alarm that rings while the loop runs once more
  /// inside of a handler ends that inner run, and the outer one hears nothing of it.
  static let nap = 0.1

  private weak var loop: RunLoop?
  /// Touched on the loop's thread only.
  var isOn = true

  init(_ loop: RunLoop) { self.loop = loop }

  func ring() {
    guard let loop else { return }
    // From inside, because a loop that is told to stop before it has begun to run forgets it.
    loop.perform(inModes: [.default]) {
      if self.isOn { RunLoop.current.leave() }
    }
    loop.wake()
  }
}
