// A line of the table of growth: one operation over n promises in one shape.

/// An operation whose cost is measured. `prepare(n)` makes the promises that the operation needs. The
/// returned closure is measured, and may run only once.
package struct Line: Sendable {
  package let operation: String
  /// The shape of the promises, and whether they are held. Empty if there is only one variant.
  package let shape: String
  /// The reason why the line may exceed the limits, with the clause.
  package let exception: String?
  /// Whether the calling thread does all the work. Only then is the work under locks counted.
  package let isOnOneThread: Bool
  package let prepare: @Sendable (_ n: Int) -> () -> Void

  package init(
    _ operation: String, _ shape: String = "", isOnOneThread: Bool = true, exception: String? = nil,
    _ prepare: @escaping @Sendable (_ n: Int) -> () -> Void
  ) {
    (self.operation, self.shape, self.exception) = (operation, shape, exception)
    (self.isOnOneThread, self.prepare) = (isOnOneThread, prepare)
  }

  /// A line without preparation.
  static func whole(
    _ operation: String, _ shape: String = "", isOnOneThread: Bool = true,
    _ body: @escaping @Sendable (_ n: Int) -> Void
  ) -> Line {
    Line(operation, shape, isOnOneThread: isOnOneThread) { n in { body(n) } }
  }

  package var name: String { shape.isEmpty ? operation : "\(operation): \(shape)" }

  package static let all =
    building + settling + cancelling + withdrawing + looking + releasing + following + nesting + combining
    + repeating + timing + observing + rest + beside + inexact
}
