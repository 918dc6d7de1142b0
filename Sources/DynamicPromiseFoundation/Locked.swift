import Foundation

/// A value that several threads change.
final class Locked<Value>: @unchecked Sendable {
  // Unchecked, because the value is used under the lock only.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
    try lock.withLock { try body(&value) }
  }
}

/// Passes a value that is not Sendable from one job of a chain to the next, which is then its only user.
struct Handed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
