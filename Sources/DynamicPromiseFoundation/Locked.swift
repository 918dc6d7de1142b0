import Foundation

/// A value that several threads change. Unlike `Guarded`, it may be locked while a file is written.
final class Locked<Value>: @unchecked Sendable {
  // Unchecked, because the value is used only under the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
    try lock.withLock { try body(&value) }
  }
}
