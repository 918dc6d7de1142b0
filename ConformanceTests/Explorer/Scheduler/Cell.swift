/// A variable that several threads share, and its number for a trace.
package final class Cell: @unchecked Sendable {
  package var bits: UInt
  package let number: Int
  /// Whether what it belonged to is no longer there.
  package var isGone = false

  package init(_ bits: UInt) {
    self.bits = bits
    number = Scheduler.nextCell()
  }
}
