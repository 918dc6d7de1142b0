/// Passes a value to another thread where the compiler cannot check that this is safe.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
