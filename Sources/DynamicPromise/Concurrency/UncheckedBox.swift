/// Passes a value across an isolation boundary if the compiler cannot see that the value has only one user.
@frozen
@usableFromInline
package struct UncheckedBox<Value>: @unchecked Sendable {
  @usableFromInline package let value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}
