// A line of the table of growth: one operation over n promises in one shape.

/// An operation whose cost is measured. `prepare(n)` makes what it needs; what that returns is measured, and
/// may be run once.
package struct Line: Sendable {
  package let operation: String
  /// In which shape, held or not; empty if there is one only.
  package let shape: String
  /// Why the line cannot hold, with the clause.
  package let exception: String?
  /// Whether the calling thread does all the work, so that what it does under locks can be counted.
  package let isOnOneThread: Bool
  package let prepare: @Sendable (_ n: Int) -> () -> Void

  package init(
    _ operation: String, _ shape: String = "", isOnOneThread: Bool = true, exception: String? = nil,
    _ prepare: @escaping @Sendable (_ n: Int) -> () -> Void
  ) {
    (self.operation, self.shape, self.exception) = (operation, shape, exception)
    (self.isOnOneThread, self.prepare) = (isOnOneThread, prepare)
  }

  package var name: String { shape.isEmpty ? operation : "\(operation): \(shape)" }

  package static let all =
    building + settling + cancelling + withdrawing + looking + releasing + following + nesting + combining
    + repeating + timing + observing + rest + beside + inexact
}
