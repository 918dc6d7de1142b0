import Foundation

/// Counts the calls from other threads. Calls on the main thread wait until no such call is active.
final class Traffic: @unchecked Sendable {
  private let condition = NSCondition()
  private var calls = 0

  func call<R>(_ body: () -> R) -> R {
    let isMain = Thread.isMainThread
    condition.lock()
    if isMain {
      while calls > 0 { condition.wait() }
    } else {
      calls += 1
    }
    condition.unlock()
    defer { if !isMain { leave() } }
    return body()
  }

  private func leave() {
    condition.lock()
    calls -= 1
    condition.broadcast()
    condition.unlock()
  }
}
