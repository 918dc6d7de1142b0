/// Takes a value across an isolation boundary where the compiler cannot see that nobody else uses the value.
@frozen
@usableFromInline
struct UncheckedBox<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}
