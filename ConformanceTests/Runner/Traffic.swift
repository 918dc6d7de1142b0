import Foundation

/// Counts the calls from other threads. Calls on the main thread wait until no such call is active.
final class Traffic: @unchecked Sendable {
  private let condition = NSCondition()
  private var calls = 0

  func call<R>(_ body: () -> R) -> R {
    if Thread.isMainThread {
      condition.withLock { while calls > 0 { condition.wait() } }
      return body()
    }
    condition.withLock { calls += 1 }
    defer {
      condition.withLock {
        calls -= 1
        condition.broadcast()
      }
    }
    return body()
  }
}
