/// Passes a value to another thread if the compiler cannot check that.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
