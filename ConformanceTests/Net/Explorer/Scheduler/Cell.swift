internal import Hooks

/// A variable that several threads share.
package final class Cell: @unchecked Sendable {
  package var bits: UInt {
    get {
      hooks_touch(name, false)
      return isStale ? 0 : stored
    }
    set {
      hooks_touch(name, true)
      stored = newValue
      run = Scheduler.run
    }
  }

  /// Identifies the variable in a trace.
  package let number: Int
  let name: UInt64
  private var stored: UInt
  private var run = Scheduler.run
  /// Whether the variable was made before the first run. If so, it is zero at the beginning of each run.
  private let isLasting: Bool

  package init(_ bits: UInt) {
    stored = bits
    number = Scheduler.nextCell()
    name = hooks_name()
    isLasting = Scheduler.run == 0
  }

  private var isStale: Bool { isLasting && run != Scheduler.run }

  /// Records that the running thread changes the variable.
  package func touch() { hooks_touch(name, true) }
}
