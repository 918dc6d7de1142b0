/// A value that crosses threads though the compiler cannot see that it may.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
