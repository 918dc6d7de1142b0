import Foundation

/// A value that several threads change.
final class Locked<Value>: @unchecked Sendable {
  // Unchecked, because the value is used only under the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
    try lock.withLock { try body(&value) }
  }
}

/// Passes a value that is not Sendable from one job of a chain to the next. Then only the next job uses the
/// value.
struct Handed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
