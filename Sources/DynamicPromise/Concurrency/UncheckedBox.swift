/// Carries a value to where the compiler cannot see that nobody else touches it (S1).
@frozen
@usableFromInline
struct UncheckedBox<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}
