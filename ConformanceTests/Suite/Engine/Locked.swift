import Foundation

package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  package init(_ value: Value) { stored = value }

  package var value: Value { withLock { $0 } }

  package func withLock<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&stored) } }
}
