/// Takes a value to another thread where the compiler cannot see that it may go there.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
