/// A value and the lock that guards it.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = SpinLock()
  @exclusivity(unchecked) private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` under the lock. `body` returns the values that it replaces, so that nothing is released
  /// under the lock.
  @inline(__always)
  package func with<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    let result = body(&value)
    lock.unlock()
    return result
  }
}
