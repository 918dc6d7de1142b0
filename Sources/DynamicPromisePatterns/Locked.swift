// What synchronises here stands in this file.

import Synchronization

/// A value and the lock that guards it.
final class Locked<Value>: @unchecked Sendable {
  private let mutex = Mutex<Void>(())
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs `body` alone with the value. What it takes out it returns, so that nothing is released in here: a
  /// release may run a `deinit` of the user's.
  func with<Answer>(_ body: (inout Value) -> Answer) -> Answer {
    mutex.withLock { _ in Unchecked(value: body(&value)) }.value
  }
}

/// A value that crosses threads though the compiler cannot see that it may.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
