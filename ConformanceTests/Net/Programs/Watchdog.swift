// Reports a program that hangs.

import Dispatch

/// Calls a closure if a program takes too long.
public final class Watchdog: @unchecked Sendable {
  private let queue = DispatchQueue(label: "ExecutableSpec.Watchdog")
  private var current: Program?
  private var begun = DispatchTime.now()
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - patience: How many seconds one program may take. Most programs take a millisecond.
  ///   - hangs: Receives the program that takes longer, or `nil` if this process is no longer needed.
  ///   - isNeeded: Whether the process is still needed.
  public init(
    patience: Double, hangs: @escaping @Sendable (Program?) -> Void,
    isNeeded: @escaping @Sendable () -> Bool = { true }
  ) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in
      guard isNeeded() else { return hangs(nil) }
      guard let self, let current, DispatchTime.now() > begun + patience else { return }
      hangs(current)
    }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Records that this program runs now.
  public func begin(_ program: Program) {
    queue.sync { (current, begun) = (program, .now()) }
  }
}
