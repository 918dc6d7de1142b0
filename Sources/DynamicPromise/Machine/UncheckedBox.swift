/// Carries a value to where the compiler cannot see that nobody else touches it (S1).
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
