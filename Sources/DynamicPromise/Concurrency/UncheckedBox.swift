/// Passes a value across an isolation boundary if the compiler cannot see that the value has only one user.
@frozen
@usableFromInline
struct UncheckedBox<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}
