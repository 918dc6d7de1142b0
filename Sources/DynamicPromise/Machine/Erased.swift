/// `value` as `Any`; one that is an `Any` already as it is. The language would put it into a second one, and a chain whose
/// handlers hand `Any` on would wrap it once more at each step.
@inlinable @inline(__always)
func erased<T>(_ value: T) -> Any {
  T.self == Any.self ? unsafeBitCast(value, to: Any.self) : value
}
