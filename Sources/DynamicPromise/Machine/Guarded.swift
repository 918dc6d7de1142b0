/// A value and the lock that guards it.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = SpinLock()
  @safe @exclusivity(unchecked) private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` under the lock. What it replaces it returns, so that nothing is released in here.
  @inline(__always)
  package func with<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    let result = body(&value)
    lock.unlock()
    return result
  }
}
